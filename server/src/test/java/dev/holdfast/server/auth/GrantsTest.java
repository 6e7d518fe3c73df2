package dev.holdfast.server.auth;

import static dev.holdfast.server.auth.Role.ADMIN;
import static dev.holdfast.server.auth.Role.GUARD;
import static dev.holdfast.server.auth.Role.LOCK;
import static dev.holdfast.server.auth.Role.READ;
import static dev.holdfast.server.auth.Role.STATE;
import static dev.holdfast.server.auth.Role.STATE_READ;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.model.RecordKey;
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
    private static final RecordKey LOCK_A = new RecordKey("billing", "a");

    @ParameterizedTest
    @EnumSource
    @DisplayName("without a grant, nothing")
    void denyByDefault(Role role) {
        assertThat(Grants.NONE.may(role, LOCK_A)).isFalse();
        assertThat(Grants.NONE.mayAnywhere(role)).isFalse();
        assertThat(Grants.NONE.mayEverywhere(role)).isFalse();
        assertThat(Grants.in("billing").mayAnywhere(role)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("admin may everything; and of the others each only itself and read, but state also state-read")
    void implied(Role role) {
        assertThat(Grants.in("billing", ADMIN).may(role, LOCK_A)).isTrue();
        assertThat(Grants.in("billing", LOCK).may(role, LOCK_A)).isEqualTo(role == LOCK || role == READ);
        assertThat(Grants.in("billing", STATE).may(role, LOCK_A))
                .isEqualTo(role == STATE || role == STATE_READ || role == READ);
        assertThat(Grants.in("billing", GUARD).may(role, LOCK_A)).isEqualTo(role == GUARD || role == READ);
        assertThat(Grants.in("billing", STATE_READ).may(role, LOCK_A)).isEqualTo(role == STATE_READ || role == READ);
        assertThat(Grants.in("billing", READ).may(role, LOCK_A)).isEqualTo(role == READ);
    }

    @Test
    @DisplayName("a grant in one namespace is none in another, nor one for the whole server")
    void namespaces() {
        Grants grants = new Grants(Map.of("billing", Set.of(ADMIN), "*", Set.of(READ)));

        assertThat(grants.may(ADMIN, LOCK_A)).isTrue();
        assertThat(grants.may(ADMIN, new RecordKey("Billing", "a"))).isFalse();
        assertThat(grants.may(READ, new RecordKey("shipping", "a"))).isTrue();
        assertThat(grants.may(LOCK, new RecordKey("shipping", "a"))).isFalse();
        assertThat(grants.mayAnywhere(ADMIN)).isTrue();
        assertThat(grants.mayEverywhere(ADMIN)).isFalse();
        assertThat(grants.mayEverywhere(READ)).isTrue();
    }

    @Test
    @DisplayName("a grant for a name, or for names that begin so, is none for others")
    void names() {
        Grants exact = Grants.in("billing/invoices", LOCK);
        assertThat(exact.may(LOCK, new RecordKey("billing", "invoices"))).isTrue();
        assertThat(exact.may(LOCK, new RecordKey("billing", "invoices-2"))).isFalse();
        assertThat(exact.may(LOCK, new RecordKey("billings", "invoices"))).isFalse();
        assertThat(exact.may(LOCK, new RecordKey("billin", "g/invoices"))).isFalse();

        Grants begins = Grants.in("billing/inv*", LOCK);
        assertThat(begins.may(LOCK, new RecordKey("billing", "invoices"))).isTrue();
        assertThat(begins.may(LOCK, new RecordKey("billing", "in"))).isFalse();
        assertThat(begins.may(LOCK, new RecordKey("billing", "other"))).isFalse();
        assertThat(begins.mayThroughout(READ, "billing")).isFalse();
        assertThat(begins.maySomewhereIn(READ, "billing")).isTrue();
        assertThat(begins.maySomewhereIn(READ, "bill")).isFalse();
        assertThat(begins.mayAnywhere(LOCK)).isTrue();
        assertThat(begins.mayAnywhere(ADMIN)).isFalse();
        assertThat(begins.mayEverywhere(READ)).isFalse();

        assertThat(Grants.in("billing/*", LOCK).may(LOCK, new RecordKey("billing", "anything")))
                .isTrue();
        assertThat(Grants.in("billing/*", LOCK).mayThroughout(LOCK, "billing")).isFalse();
    }

    @Test
    @DisplayName("a stack is granted by its name and environment, for its lock as for its state")
    void stacks() {
        RecordKey prod = new RecordKey("deploy", "stack:shop:env:prod");
        RecordKey shopping = new RecordKey("deploy", "stack:shopping:env:prod");
        assertThat(Grants.in("deploy/shop/prod", STATE).may(STATE, prod)).isTrue();
        assertThat(Grants.in("deploy/shop/*", STATE).may(STATE, prod)).isTrue();
        assertThat(Grants.in("deploy/shop/*", STATE).may(STATE, shopping)).isFalse();
        assertThat(Grants.in("deploy/shop/stage", STATE).may(STATE, prod)).isFalse();
        assertThat(Grants.in("deploy/stack:shop:env:prod", STATE).may(STATE, prod))
                .as("one spelling, so that nobody grants the other by mistake")
                .isFalse();
        assertThat(Grants.in("other/shop/*", STATE).may(STATE, new RecordKey("other", "stack:shop:env:prod")))
                .as("only deployments are spelled so")
                .isFalse();
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
                .hasMessageContaining("for 'billing' is not one of read, state-read, lock, state, guard, admin")
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "**", "a/b*c", "a/b**", "/a", "é", "\r\n", "*a", "*/a", "a/b\n"})
    @DisplayName("a place that cannot exist is refused")
    void badPlace(String place) {
        assertThatThrownBy(() -> Grants.in(place, READ))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be '*', a namespace of 1 to 64 letters")
                .hasMessageNotContaining("\n");
    }
}
