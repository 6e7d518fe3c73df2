package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("cursors")
class CursorTest {
    private static final String ADMIN = "token-of-admin";
    private static final String TWO = "token-of-two";
    private static final String ONE = "token-of-one";

    private static TestServer started(String store) {
        return new Setup()
                .store(store)
                .auth(new AuthConfig(
                        false,
                        Optional.empty(),
                        List.of(
                                TokenEntry.of("admin", ADMIN, Grants.everywhere(Role.ADMIN)),
                                TokenEntry.of("one", ONE, Grants.in("billing", Role.READ)),
                                TokenEntry.of(
                                        "two",
                                        TWO,
                                        new Grants(Map.of("billing", Set.of(Role.READ), "zoo", Set.of(Role.READ)))))))
                .start();
    }

    private static void take(Client admin, String namespace, String name) {
        assertThat(admin.post(
                                "/v2/locks/acquire",
                                "{\"namespace\":\"" + namespace + "\",\"name\":\"" + name
                                        + "\",\"lease_ms\":600000,\"lease_id\":\"lease-" + name + "\"}")
                        .status())
                .isEqualTo(200);
    }

    @Test
    @DisplayName("of a list name only what the caller may read, and the list is whole all the same")
    void revealNothing(@TempDir java.nio.file.Path directory) {
        for (String store : List.of("memory:", "sqlite:" + directory.resolve("locks.db"))) {
            try (TestServer server = started(store)) {
                Client admin = Client.of(server).as(ADMIN);
                for (int i = 0; i < 7; i++) {
                    take(admin, "acme-secret", "merger-" + i);
                    take(admin, "billing", "bill-" + i);
                    take(admin, "billing-secret", "takeover-" + i);
                    take(admin, "zoo", "animal-" + i);
                }
                assertThat(all(Client.of(server).as(ONE), "", 1)).hasSize(7).allMatch(name -> name.startsWith("bill-"));
                assertThat(all(Client.of(server).as(TWO), "", 1))
                        .hasSize(14)
                        .allMatch(name -> name.matches("(bill|animal)-.*"));
                assertThat(all(Client.of(server).as(TWO), "", 3)).hasSize(14);
                assertThat(all(Client.of(server).as(TWO), "&state=held", 2)).hasSize(14);
                assertThat(all(Client.of(server).as(TWO), "&namespace=zoo", 2)).hasSize(7);
                assertThat(all(admin, "", 5)).hasSize(28);
            }
        }
    }

    /** Every page, with a look into every cursor. */
    private static List<String> all(Client client, String more, int limit) {
        List<String> names = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        for (int page = 0; page < 100; page++) {
            Answer answer = client.get("/v2/locks?limit=" + limit + more
                    + cursor.map(text -> "&cursor=" + text).orElse(""));
            assertThat(answer.status()).as(answer.body()).isEqualTo(200);
            answer.json()
                    .get("items")
                    .list()
                    .forEach(item -> names.add(item.get("name").text()));
            Object next = answer.json().get("next_cursor").value();
            if (next == null) {
                assertThat(names).doesNotHaveDuplicates();
                return names;
            }
            String inside = new String(Base64.getUrlDecoder().decode((String) next), StandardCharsets.UTF_8);
            if (!client.authorization().orElse("").endsWith(ADMIN)) {
                assertThat(inside).doesNotContain("secret", "merger", "takeover");
            }
            cursor = Optional.of((String) next);
        }
        throw new AssertionError("no end");
    }

    @Test
    @DisplayName("that were made up lead nowhere else")
    void forged() {
        try (TestServer server = started("memory:")) {
            Client admin = Client.of(server).as(ADMIN);
            take(admin, "acme-secret", "merger");
            take(admin, "zoo", "animal");
            for (String inside : List.of("acme-secret\n", "acme-secret\nacme-secret:merger", "nonsense", "\n")) {
                String cursor =
                        Base64.getUrlEncoder().withoutPadding().encodeToString(inside.getBytes(StandardCharsets.UTF_8));
                Answer answer = Client.of(server).as(TWO).get("/v2/locks?cursor=" + cursor);
                assertThat(answer.status()).as(inside).isEqualTo(400);
                assertThat(answer.body()).doesNotContain("merger");
            }
        }
    }

    @Test
    @DisplayName("of the history of one namespace count its own events only")
    void history() {
        try (TestServer server = started("memory:")) {
            Client admin = Client.of(server).as(ADMIN);
            take(admin, "billing", "bill-1");
            take(admin, "billing", "bill-2");
            for (int i = 0; i < 20; i++) {
                take(admin, "acme-secret", "merger-" + i);
            }
            Json first = Client.of(server).as(ONE).get("/v2/history?limit=1").json();
            assertThat(first.get("items").list()).hasSize(1);
            String number = new String(
                    Base64.getUrlDecoder().decode(first.get("next_cursor").text()), StandardCharsets.UTF_8);
            assertThat(number)
                    .isEqualTo(String.valueOf(
                            first.get("items").list().get(0).get("event_id").value()));
        }
    }
}
