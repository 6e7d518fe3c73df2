package dev.holdfast.server.survey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what is gone through for a list")
class ReadablePartTest {
    private static Grants reading(String... places) {
        Map<String, Set<Role>> roles = new java.util.HashMap<>();
        for (String place : places) {
            roles.put(place, Set.of(Role.READ));
        }
        return new Grants(roles);
    }

    private static List<String> parts(String namespace, String prefix, Grants grants) {
        Optional<String> asked = namespace.isEmpty() ? Optional.empty() : Optional.of(namespace);
        return ReadablePart.parts(asked, prefix, grants).stream()
                .map(ReadablePart::spelling)
                .toList();
    }

    @Test
    @DisplayName("everything for who may read everything, else only what may be read, each once")
    void parts() {
        assertThat(parts("", "", reading("*"))).containsExactly("/");
        assertThat(parts("a", "x", reading("*", "a/y*"))).containsExactly("a/x");
        assertThat(parts("", "", reading("b", "a", "a/x", "c/inv*", "c/invoice*", "c/other")))
                .containsExactly("a/", "b/", "c/inv", "c/other");
        assertThat(parts("c", "", reading("b", "c/inv*"))).containsExactly("c/inv");
        assertThat(parts("c", "inv", reading("c/invoice*", "c/x"))).containsExactly("c/invoice");
        assertThat(parts("c", "invoices", reading("c/inv*"))).containsExactly("c/invoices");
        assertThat(parts("c", "z", reading("c/inv*"))).isEmpty();
        assertThat(parts("d", "", reading("c"))).isEmpty();
        assertThat(parts("", "", Grants.in("c"))).isEmpty();
    }

    @Test
    @DisplayName("stacks by the names of their locks")
    void stacks() {
        assertThat(parts("deploy", "", reading("deploy/shop/*", "deploy/blog/prod")))
                .containsExactly(
                        "deploy/blog/prod", "deploy/shop/", "deploy/stack:blog:env:prod", "deploy/stack:shop:env:");
    }
}
