package dev.holdfast.wire.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.Write;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a backup")
class BackupFormatTest {
    private static final Instant AT = Times.ofMicros(1_794_954_730_818_852L);

    private final RecordStore store = MemoryStore.exclusive();
    private final DocumentStore documents = new MemoryDocuments();

    private static LockRecord record(String name) {
        Hold hold = new Hold(
                new LeaseId("lease-of-" + name),
                new Scope(List.of(LockPath.of("a/b"), LockPath.of("c")), Mode.permit(7)),
                "anna \u00e9\ud83d\ude80",
                new Token(17),
                AT,
                AT,
                Times.NEVER,
                new Terms(Times.FOREVER, Duration.ZERO, Duration.ZERO, Map.of("k", "v\n\"x\""), "a reason"),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
        return new LockRecord(
                LockRecord.FORMAT,
                new RecordKey("team", name),
                new Stamp(-5),
                new Token(18),
                List.of(hold),
                List.of(),
                Map.of(),
                Past.NONE,
                Map.of("later", "2.50"));
    }

    private static LockEvent event(String name, EventType type) {
        return new LockEvent(
                type,
                new RecordKey("team", name),
                Scope.of(LockPath.WHOLE, Mode.SHARED),
                -77,
                "anna",
                new Token(19),
                AT,
                Duration.ofNanos(1_234_000),
                "root",
                "",
                Map.of("commit", "4f2"),
                "r-1");
    }

    private void fill() {
        for (int i = 0; i < 3; i++) {
            Uninterruptibly.answer(store.write(List.of(
                    Write.create(record("lock-" + i)).withEvents(List.of(event("lock-" + i, EventType.ACQUIRED))))));
        }
        byte[] large = new byte[200_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 + i / 1000);
        }
        put("stacks/shop/prod/state.json", large, Map.of("token", "99"));
        put("guard/apps/shop", new byte[0], Map.of());
    }

    private void put(String name, byte[] content, Map<String, String> attributes) {
        documents.write(Change.put(name, Condition.none(), content, attributes));
    }

    private byte[] written(DocumentStore from) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BackupWalk(store, List.of(new BackupPlace(from, name -> true)), "holdfast test").writeTo(out);
        return out.toByteArray();
    }

    /** Everything that is in one, as it was shown. */
    private static final class RecordingVisitor implements BackupVisitor {
        private final List<LockRecord> locks = new ArrayList<>();
        private final List<StoredEvent> events = new ArrayList<>();
        private final Map<Integer, byte[]> contents = new TreeMap<>();

        @Override
        public void lock(LockRecord record) {
            locks.add(record);
        }

        @Override
        public void event(StoredEvent event) {
            events.add(event);
        }

        @Override
        public void document(int ordinal, String name, Map<String, String> attributes, byte[] content) {
            contents.put(ordinal, content);
        }

        byte[] of(BackupSummary summary, String name) {
            return contents.getOrDefault(summary.latest().getOrDefault(name, -1), new byte[] {-1});
        }
    }

    private static BackupSummary read(byte[] file, BackupVisitor visitor) throws IOException {
        return BackupReader.read(new ByteArrayInputStream(file), visitor);
    }

    @Test
    @DisplayName("has every lock, event and document exactly as it was, and knows the newest token of all")
    void whole() throws IOException {
        fill();
        RecordingVisitor shown = new RecordingVisitor();
        BackupSummary summary = read(written(documents), shown);
        assertThat(shown.locks).containsExactly(record("lock-0"), record("lock-1"), record("lock-2"));
        List<StoredEvent> events = new ArrayList<>();
        new EventPages((EventLog) store).forEachRemaining(events::add);
        assertThat(shown.events).isEqualTo(events).hasSize(3);
        byte[] state =
                documents.get("stacks/shop/prod/state.json").orElseThrow().content();
        assertThat(shown.of(summary, "stacks/shop/prod/state.json")).isEqualTo(state);
        assertThat(summary.totals()).isEqualTo(new BackupTotals(3, 3, 3, 0, 2, 200_000, new Token(99)));
        assertThat(summary.header().store()).isEqualTo("memory");
    }

    @Test
    @DisplayName("that was cut off anywhere, or changed in any line, is refused")
    void damaged() throws IOException {
        fill();
        byte[] file = written(documents);
        byte[] plain;
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            plain = in.readAllBytes();
        }
        for (int length = 0; length < file.length; length += Math.max(1, file.length / 97)) {
            refused(Arrays.copyOf(file, length));
        }
        String[] lines = new String(plain, StandardCharsets.UTF_8).split("\n", -1);
        for (int i = 0; i < lines.length - 1; i++) {
            List<String> without = new ArrayList<>(List.of(lines));
            without.remove(i);
            refused(packed(String.join("\n", without).getBytes(StandardCharsets.UTF_8)));
        }
        for (int at = 0; at < plain.length; at += Math.max(1, plain.length / 211)) {
            byte[] changed = plain.clone();
            changed[at] = (byte) (changed[at] == '7' ? '8' : '7');
            refused(packed(changed));
        }
        refused(packed((new String(plain, StandardCharsets.UTF_8) + "{}\n").getBytes(StandardCharsets.UTF_8)));
        // What only the checksum of everything can tell.
        for (String[] change : List.of(
                new String[] {"\"actor\":\"root\"", "\"actor\":\"boot\""},
                new String[] {"\"reason\":\"a reason\"", "\"reason\":\"another reason\""},
                new String[] {"\"k\":\"v", "\"k\":\"w"})) {
            String text = new String(plain, StandardCharsets.UTF_8);
            assertThat(text).contains(change[0]);
            refused(packed(text.replace(change[0], change[1]).getBytes(StandardCharsets.UTF_8)));
        }
        refused("something else".getBytes(StandardCharsets.UTF_8));
        refused(packed("{\"backup\":{\"format\":2,\"written_by\":\"holdfast 9\"}}\n".getBytes(StandardCharsets.UTF_8)));
    }

    private static byte[] packed(byte[] plain) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        }
        return out.toByteArray();
    }

    private static void refused(byte[] file) {
        assertThatExceptionOfType(DamagedBackupException.class).isThrownBy(() -> read(file, new BackupVisitor() {}));
    }

    /** Documents that others change while they are walked through. */
    private final class Changing implements DocumentStore {
        private final List<Runnable> changes;

        Changing(List<Runnable> changes) {
            this.changes = new ArrayList<>(changes);
        }

        @Override
        public Optional<Document> get(String name) {
            Optional<Document> found = documents.get(name);
            if (!changes.isEmpty()) {
                changes.remove(0).run();
            }
            return found;
        }

        @Override
        public DocumentPage list(ListRequest request) {
            return documents.list(request);
        }

        @Override
        public Optional<DocumentHead> look(String name) {
            return documents.look(name);
        }

        @Override
        public WriteOutcome write(List<Change> all) {
            return documents.write(all);
        }

        @Override
        public String kind() {
            return documents.kind();
        }

        @Override
        public long maxSize() {
            return documents.maxSize();
        }

        @Override
        public boolean isAtomic() {
            return documents.isAtomic();
        }

        @Override
        public void close() {}
    }

    @Test
    @DisplayName("has all documents as they were at one moment, though they change while it is written")
    void oneMoment() throws IOException {
        put("stacks/a/state.json", new byte[] {1}, Map.of());
        put("stacks/b/state.json", new byte[] {1}, Map.of());
        put("stacks/c/state.json", new byte[] {1}, Map.of());
        Runnable both = () -> {
            put("stacks/a/state.json", new byte[] {2}, Map.of()); // was read already
            put("stacks/b/state.json", new byte[] {2}, Map.of()); // was not
            documents.write(Change.delete("stacks/c/state.json", Condition.none()));
        };
        Runnable again = () -> put("stacks/a/state.json", new byte[] {3}, Map.of());
        Runnable gone = () -> documents.write(Change.delete("stacks/b/state.json", Condition.none()));
        RecordingVisitor shown = new RecordingVisitor();
        BackupSummary summary = read(written(new Changing(List.of(both, again, gone))), shown);
        assertThat(summary.latest()).containsOnlyKeys("stacks/a/state.json");
        assertThat(shown.of(summary, "stacks/a/state.json")).containsExactly(3);
        assertThat(summary.totals().documents()).isEqualTo(1);
    }

    @Test
    @DisplayName("of documents that change all the time is given up, not written wrongly")
    void neverStill() {
        put("stacks/a/state.json", new byte[] {1}, Map.of());
        List<Runnable> changes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            byte[] next = {(byte) i};
            changes.add(() -> put("stacks/a/state.json", next, Map.of()));
        }
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> written(new Changing(changes)))
                .withMessageContaining("keep changing");
    }
}
