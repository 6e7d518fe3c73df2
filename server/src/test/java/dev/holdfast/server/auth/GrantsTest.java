package dev.holdfast.server.auth;

import static dev.holdfast.server.auth.Role.ADMIN;
import static dev.holdfast.server.auth.Role.GUARD;
import static dev.holdfast.server.auth.Role.LOCK;
import static dev.holdfast.server.auth.Role.READ;
import static dev.holdfast.server.auth.Role.STATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("what somebody may do")
class GrantsTest {
    @ParameterizedTest
    @EnumSource
    @DisplayName("without a grant, nothing")
    void denyByDefault(Role role) {
        assertThat(Grants.NONE.may(role, "billing")).isFalse();
        assertThat(Grants.NONE.mayAnywhere(role)).isFalse();
        assertThat(Grants.NONE.mayEverywhere(role)).isFalse();
        assertThat(Grants.in("billing").mayAnywhere(role)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("admin may everything; and of the others each only itself and read")
    void implied(Role role) {
        assertThat(Grants.in("billing", ADMIN).may(role, "billing")).isTrue();
        assertThat(Grants.in("billing", LOCK).may(role, "billing")).isEqualTo(role == LOCK || role == READ);
        assertThat(Grants.in("billing", STATE).may(role, "billing")).isEqualTo(role == STATE || role == READ);
        assertThat(Grants.in("billing", GUARD).may(role, "billing")).isEqualTo(role == GUARD || role == READ);
        assertThat(Grants.in("billing", READ).may(role, "billing")).isEqualTo(role == READ);
    }

    @Test
    @DisplayName("a grant in one namespace is none in another, nor one for the whole server")
    void namespaces() {
        Grants grants = new Grants(Map.of("billing", Set.of(ADMIN), "*", Set.of(READ)));

        assertThat(grants.may(ADMIN, "billing")).isTrue();
        assertThat(grants.may(ADMIN, "Billing")).isFalse();
        assertThat(grants.may(READ, "shipping")).isTrue();
        assertThat(grants.may(LOCK, "shipping")).isFalse();
        assertThat(grants.mayAnywhere(ADMIN)).isTrue();
        assertThat(grants.mayEverywhere(ADMIN)).isFalse();
        assertThat(grants.mayEverywhere(READ)).isTrue();
    }

    @Test
    @DisplayName("are read as they are spelled in configuration and tokens")
    void spelled() {
        assertThat(Grants.spelled(Map.of("*", List.of("read"), "billing", List.of("lock", "guard"))))
                .isEqualTo(new Grants(Map.of("*", Set.of(READ), "billing", Set.of(LOCK, GUARD))))
                .hasToString("{*=[READ], billing=[LOCK, GUARD]}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "Admin", "ADMIN", "", " admin", "admin\n"})
    @DisplayName("a role that does not exist is refused by name, not ignored")
    void unknownRole(String role) {
        assertThatThrownBy(() -> Grants.spelled(Map.of("billing", List.of(role))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("for namespace 'billing' is not one of read, lock, state, guard, admin")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "**", "a/b", "é", "\r\n", "*a"})
    @DisplayName("a namespace that cannot exist is refused")
    void badNamespace(String namespace) {
        assertThatThrownBy(() -> Grants.in(namespace, READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be '*' or 1 to 64 of letters")
                .hasMessageNotContaining("\n");
    }
}
