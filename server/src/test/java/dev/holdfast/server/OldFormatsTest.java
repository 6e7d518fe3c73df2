package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.App;
import dev.holdfast.guard.registry.DocumentFormat;
import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.server.RecordedVersion.StoredDocument;
import dev.holdfast.server.RecordedVersion.StoredRecord;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("What is stored, as text")
class OldFormatsTest {
    private static LockRecord decoded(StoredRecord stored) {
        return RecordCodec.decode(
                new RecordKey(stored.namespace(), stored.name()),
                new Stamp(1),
                new Token(stored.fence()),
                stored.body(),
                stored.past());
    }

    private static LockRecord decoded(RecordedVersion version, String name) {
        return version.records().stream()
                .filter(row -> row.name().equals(name))
                .map(OldFormatsTest::decoded)
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("records of every version are read whole: what is written of them is what was there")
    void bodies(RecordedVersion version) {
        assertThat(version.records()).hasSizeGreaterThan(8);
        for (StoredRecord stored : version.records()) {
            LockRecord record = decoded(stored);
            assertThat(RecordCodec.body(record)).as(stored.name()).isEqualTo(stored.body());
            assertThat(record.extras()).isEmpty();
        }
        assertThat(decoded(version, "tree").holds()).hasSize(2);
        assertThat(decoded(version, "held").queue()).hasSize(1);
        assertThat(decoded(version, "once").past().done().orElseThrow().generation())
                .isEqualTo("v42");
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("what a record of any version remembers is known, and a store finds it in both texts")
    void past(RecordedVersion version) throws Exception {
        LockRecord ended = decoded(version, "ended");
        assertThat(ended.past().how(new LeaseId("old-ended-001"))).contains(LostReason.RELEASED);
        assertThat(ended.past().how(new LeaseId("old-ended-002"))).contains(LostReason.FORCED);
        assertThat(ended.past().how(new LeaseId("old-ended-003"))).contains(LostReason.RELEASED);
        String written = PastJson.write(ended.past());
        assertThat(PastJson.read(written)).isEqualTo(ended.past());
        for (String id : List.of("old-ended-001", "old-ended-002", "old-ended-003")) {
            assertThat(written).contains(EndedLeases.mark(new LeaseId(id)));
        }
    }

    @Test
    @DisplayName("the newest recorded version is the one that is written now: whoever changes a text records another")
    void newest() {
        RecordedVersion newest = RecordedVersion.NEWEST;
        for (StoredRecord stored : newest.records()) {
            assertThat(PastJson.write(decoded(stored).past())).as(stored.name()).isEqualTo(stored.past());
        }
        for (StoredDocument stored : guardDocuments(newest)) {
            assertThat(new String(rewritten(stored), StandardCharsets.UTF_8))
                    .as(stored.name())
                    .isEqualTo(stored.content());
        }
    }

    private static List<StoredDocument> guardDocuments(RecordedVersion version) {
        return version.documents().stream()
                .filter(document -> document.name().startsWith("guard/"))
                .toList();
    }

    private static byte[] rewritten(StoredDocument stored) {
        byte[] content = stored.content().getBytes(StandardCharsets.UTF_8);
        return stored.name().startsWith("guard/apps/")
                ? DocumentFormat.write(DocumentFormat.readApp(stored.name(), content))
                : DocumentFormat.write(DocumentFormat.readResource(stored.name(), content));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("apps and resources of the guard of every version are read")
    void guard(RecordedVersion version) {
        assertThat(guardDocuments(version)).hasSize(4);
        for (StoredDocument stored : guardDocuments(version)) {
            byte[] content = stored.content().getBytes(StandardCharsets.UTF_8);
            if (stored.name().startsWith("guard/apps/")) {
                App app = DocumentFormat.readApp(stored.name(), content);
                assertThat(app.databases().get(0).endpoint()).contains("db1:5432");
            } else if (stored.name().contains("db1")) {
                var resource = DocumentFormat.readResource(stored.name(), content);
                assertThat(resource.intents()).containsOnlyKeys("shop");
                assertThat(resource.decisions()).isNotEmpty();
            }
        }
    }
}
