package dev.holdfast.state.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Token;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.VersionNames;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what stands beside the bytes")
final class AttributesTest {
    private static final Stack SHOP = new Stack("shop", "production");

    private static StateVersion version(String by, String lineage) {
        return new StateVersion(
                SHOP,
                new VersionNames().at(Instant.parse("2026-11-16T11:05:12.123456Z")),
                1L << 53,
                Optional.of(lineage),
                Instant.parse("2026-11-16T11:05:12.123456Z"),
                by,
                1,
                Sha256.of(new byte[1]),
                by,
                Optional.of(by),
                new Token(1_700_000_000_000_000L));
    }

    @Test
    @DisplayName("survives as ASCII, whatever the texts are")
    void roundTrip() {
        for (String text : List.of("alice", "Zoë 100% ", " 😀", "a%41", "%", "ü")) {
            StateVersion version = version(text, text);
            Map<String, String> attributes = Attributes.of(version, "w", "l");
            DocumentHead head = new DocumentHead("x", "1", 1, attributes);
            assertThat(Attributes.version(SHOP, head)).contains(version);
            Change.put("x", Condition.none(), new byte[1], attributes);
        }
    }

    @Test
    @DisplayName("always fits beside a document, however long the texts are; half a lineage is left out")
    void bounds() {
        StateVersion version = version("ü".repeat(512), "ü".repeat(512));
        Map<String, String> attributes = new TreeMap<>(Attributes.of(version, "w".repeat(32), "l".repeat(32)));
        attributes.put(Attributes.TOKEN, Long.toString(1_700_000_000_000_000L));
        attributes.put(Attributes.LEASE, Attributes.lease(new LeaseId("lease-id-1")));
        attributes.put(Attributes.TOP_SERIAL, Long.toString(1L << 53));
        Change.put("x", Condition.none(), new byte[1], attributes); // does not throw
        StateVersion read = Attributes.version(SHOP, new DocumentHead("x", "1", 1, attributes))
                .orElseThrow();
        assertThat(read.lineage()).isEmpty();
        assertThat(read.by()).isEqualTo("ü".repeat(40));
    }

    @Test
    @DisplayName("never tells a lease id")
    void lease() {
        assertThat(Attributes.lease(new LeaseId("secret-lease-id")))
                .doesNotContain("secret")
                .hasSize(32);
    }
}
