package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.KEY;
import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.query;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteProcess;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.jdbc.store.JdbcRecordStore;
import dev.holdfast.model.EventType;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("when an SQLite file fails")
class SqliteFailureTest {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = directory.resolve("locks.db");
    }

    private RecordStore open() {
        return SqliteStore.open(file, SqliteConfig.shared().withBusyTimeout(Duration.ofMillis(100)));
    }

    private static <E extends StoreException> void assertFails(Class<E> type, Runnable act, String... said) {
        assertThatExceptionOfType(type).isThrownBy(act::run).withMessageContainingAll(said);
    }

    private static void assertFailed(WriteResult result, String... said) {
        assertThat(result)
                .isInstanceOfSatisfying(
                        WriteResult.Failed.class,
                        failed -> assertThat(failed.why())
                                .isInstanceOf(StoreUnusableException.class)
                                .hasMessageContainingAll(said));
    }

    @Nested
    @DisplayName("at the start")
    class AtTheStart {
        @Test
        @DisplayName("a file that is no database is refused by name, and not touched")
        void notADatabase() throws IOException {
            for (String content : List.of("hello", "hello\n".repeat(5_000), "SQLite format 3\u0000 but not quite")) {
                Files.writeString(file, content);
                assertFails(StoreUnusableException.class, SqliteFailureTest.this::open, file.toString());
                assertThat(file).hasContent(content);
            }
        }

        @Test
        @DisplayName("a damaged file is refused by name, and not touched")
        void damaged() throws IOException {
            filledFile();
            damage(4_096, (int) Files.size(file) - 4_096);
            byte[] before = Files.readAllBytes(file);
            assertFails(
                    StoreUnusableException.class, SqliteFailureTest.this::open, "Damaged", file.toString(), "backup");
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }

        @Test
        @DisplayName("a file that was cut off is refused by name, and not touched")
        void cutOff() throws IOException {
            filledFile();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(2 * 4_096);
            }
            byte[] before = Files.readAllBytes(file);
            assertFails(StoreUnusableException.class, SqliteFailureTest.this::open, "Damaged", file.toString());
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
        }

        @Test
        @DisplayName("a directory is refused, with a hint")
        void isADirectory() {
            assertFails(
                    StoreUnusableException.class,
                    () -> SqliteStore.open(directory, SqliteConfig.shared()),
                    "is a directory",
                    "locks.db");
        }

        @Test
        @DisplayName("a missing directory is made, but not the way to it")
        void missingDirectory() {
            Path inNew = directory.resolve("data").resolve("locks.db");
            SqliteStore.open(inNew, SqliteConfig.shared()).close();
            assertThat(inNew).exists();

            Path farAway = directory.resolve("a").resolve("b").resolve("locks.db");
            assertFails(
                    StoreUnusableException.class,
                    () -> SqliteStore.open(farAway, SqliteConfig.exclusive("")),
                    "does not exist",
                    "mkdir -p " + farAway.getParent());
            assertThat(directory.resolve("a")).doesNotExist();
        }

        @Test
        @DisplayName("a file in the place of the directory is refused")
        void directoryIsAFile() throws IOException {
            Path plain = Files.writeString(directory.resolve("plain"), "x");
            assertFails(
                    StoreUnusableException.class,
                    () -> SqliteStore.open(plain.resolve("locks.db"), SqliteConfig.shared()),
                    plain.toString());
        }

        @Test
        @DisplayName("a file that cannot be written is refused, saying what right is missing")
        void readOnlyFile() throws Exception {
            open().close();
            try (Immutable ignored = Immutable.make(file)) {
                try (RecordStore store = open()) {
                    assertFails(StoreUnusableException.class, () -> put(store, held(KEY)), "No permission to write");
                    assertThat(Await.get(store.read(KEY))).isEmpty();
                }
            }
            try (RecordStore store = open()) {
                put(store, held(KEY));
            }
        }

        @Test
        @DisplayName("a new file in a directory that cannot be written is refused, saying what right is missing")
        void readOnlyDirectory() throws Exception {
            try (Immutable ignored = Immutable.make(directory)) {
                assertFails(
                        StoreUnusableException.class,
                        SqliteFailureTest.this::open,
                        "locks.db.lock",
                        "write access to its directory");
            }
        }

        @Test
        @DisplayName("a refused start leaves the file to others")
        void refusedStartLetsGo() throws IOException {
            Files.writeString(file, "hello");
            assertFails(
                    StoreUnusableException.class, () -> SqliteStore.open(file, SqliteConfig.exclusive("a")), "Not an");
            Files.delete(file);
            SqliteStore.open(file, SqliteConfig.exclusive("b")).close();
            SqliteStore.open(file, SqliteConfig.shared()).close();
        }
    }

    private void filledFile() {
        try (RecordStore store = open()) {
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                writes.add(
                        Locks.absent(held(key("lock-" + i)), Locks.event(key("lock-" + i), EventType.ACQUIRED, START)));
            }
            Await.get(store.write(writes));
        }
    }

    private void damage(long from, int length) throws IOException {
        byte[] noise = new byte[length];
        new Random(7).nextBytes(noise);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(noise), from);
        }
    }

    @Nested
    @DisplayName("at work")
    class AtWork {
        @Test
        @DisplayName("damage is told as such, and nothing is granted")
        void damagedAtWork() throws IOException {
            filledFile();
            try (RecordStore store = open()) {
                damage(8 * 4_096, (int) Files.size(file) - 8 * 4_096);
                assertFails(
                        StoreUnusableException.class,
                        () -> Await.get(store.scan(ScanRequest.all())),
                        "Damaged",
                        file.toString());
                assertThatExceptionOfType(StoreException.class).isThrownBy(() -> {
                    for (int i = 0; i < 500; i++) {
                        put(store, held(key("new-" + i)));
                    }
                });
            }
        }

        @Test
        @DisplayName("without space nothing is changed; with space again it goes on by itself")
        void fullDisk() throws SQLException {
            try (RecordStore store = open()) {
                LockRecord first = put(store, held(key("first")));
                limitPages(store, query(file, "pragma page_count").get(0));
                List<Write> large = new ArrayList<>();
                large.add(Locks.stamped(first, held(key("first")), Locks.event(KEY, EventType.RELEASED, START)));
                for (int i = 0; i < 100; i++) {
                    large.add(Locks.absent(held(key("lock-" + i)), Locks.event(KEY, EventType.ACQUIRED, START)));
                }
                assertFails(
                        StoreUnavailableException.class,
                        () -> Await.get(store.write(large)),
                        "No space left",
                        file.toString());
                assertThat(read(store, key("first"))).isEqualTo(first);
                assertThat(query(file, "select count(*) from holdfast_lock")).containsExactly("1");
                assertThat(query(file, "select count(*) from holdfast_event")).containsExactly("0");

                limitPages(store, "1000000");
                Await.get(store.write(large));
                assertThat(query(file, "select count(*) from holdfast_lock")).containsExactly("101");
            }
        }

        private void limitPages(RecordStore store, String pages) {
            ((JdbcRecordStore) store).writers.run("test", session -> {
                session.execute("pragma max_page_count = " + pages);
                return true;
            });
        }

        @Test
        @DisplayName("a log that cannot grow leaves the last write in doubt, and all before it stored")
        void commitFails() throws IOException {
            List<String> said;
            try (JavaProcess other = SqliteProcess.start(file, "write", "3000")) {
                said = other.rest();
            }
            assertThat(said).first().isEqualTo("open");
            assertThat(said)
                    .last()
                    .asString()
                    .startsWith("OutcomeUnknownException")
                    .contains(file.toString());
            assertAllThere(said.subList(1, said.size() - 1));
        }

        @Test
        @DisplayName("what a process had been told is there after it was killed")
        void killed() throws IOException {
            List<String> said = new ArrayList<>();
            try (JavaProcess other = SqliteProcess.start(file, "write")) {
                for (int i = 0; i < 50; i++) {
                    said.add(other.next());
                }
                other.kill();
                said.addAll(other.rest());
            }
            assertAllThere(said.subList(1, said.size() - 1)); // the last line may be cut off
        }

        private void assertAllThere(List<String> names) {
            assertThat(names).isNotEmpty();
            try (RecordStore store = open()) {
                for (String name : names) {
                    assertThat(Await.get(store.read(key(name)))).as(name).isPresent();
                }
            }
        }

        @Test
        @DisplayName("who waits behind a write that is stuck is told what to do about a file, not about a server")
        void stuck() throws Exception {
            SqliteConfig patient = SqliteConfig.shared().withBusyTimeout(Duration.ofSeconds(4));
            try (RecordStore store = SqliteStore.open(file, patient);
                    Connection other = Locks.plain(file);
                    Statement statement = other.createStatement()) {
                statement.execute("begin immediate");
                // One of them has the only connection for writing, and waits for the file; the other waits for that
                // connection.
                List<CompletableFuture<Void>> both = Stream.of("one", "two")
                        .map(name -> CompletableFuture.runAsync(() -> put(store, held(key(name)))))
                        .toList();
                Await.until("one gave up", () -> both.stream().anyMatch(CompletableFuture::isCompletedExceptionally));
                statement.execute("rollback");

                CompletableFuture<Void> behind = both.stream()
                        .filter(CompletableFuture::isCompletedExceptionally)
                        .findFirst()
                        .orElseThrow();
                assertThat(behind)
                        .failsWithin(Await.LIMIT)
                        .withThrowableOfType(ExecutionException.class)
                        .withCauseInstanceOf(StoreUnavailableException.class)
                        .withMessageContaining("has been busy")
                        .withMessageContaining("fuser -v " + file)
                        .satisfies(failure -> assertThat(failure).message().doesNotContain("server", "network"));
            }
        }

        @Test
        @DisplayName("a file another process has locked is told as such, in bounded time, and works again after")
        void busy() throws SQLException {
            try (RecordStore store = open()) {
                try (Connection other = Locks.plain(file);
                        Statement statement = other.createStatement()) {
                    statement.execute("begin immediate");
                    assertFails(
                            StoreUnavailableException.class,
                            () -> put(store, held(KEY)),
                            "locked",
                            "100 ms",
                            file.toString());
                    assertThat(Await.get(store.read(KEY))).as("reads go on").isEmpty();
                    statement.execute("rollback");
                }
                put(store, held(KEY));
            }
        }

        @Test
        @DisplayName("a dropped table is told as such")
        void droppedTable() throws SQLException {
            try (RecordStore store = open()) {
                put(store, held(KEY));
                Locks.sql(file, "drop table holdfast_event");
                assertFails(
                        StoreUnusableException.class,
                        () -> put(store, held(key("a")), Locks.event(KEY, EventType.ACQUIRED, START)),
                        "missing or changed",
                        "holdfast_event");
                assertThat(Await.get(store.read(key("a")))).isEmpty();
            }
        }

        @Test
        @DisplayName("a file that is gone is not taken for one without locks")
        void deletedFile() throws IOException {
            try (RecordStore store = open()) {
                put(store, held(KEY));
                for (String suffix : List.of("", "-wal", "-shm")) {
                    Files.delete(directory.resolve("locks.db" + suffix));
                }
                assertFails(StoreUnavailableException.class, () -> Await.get(store.read(KEY)), "Cannot open");
                assertThat(file).doesNotExist();
            }
        }

        @Test
        @DisplayName("a record that cannot be read fails its own write for good, that of others for now")
        void unreadableRecord() throws SQLException {
            try (RecordStore store = open()) {
                put(store, held(KEY));
                Locks.sql(file, "update holdfast_lock set body = '{'");
                assertFails(StoreUnusableException.class, () -> Await.get(store.read(KEY)), "'lock'", "backup");
                List<Write> both = List.of(Locks.absent(held(key("other"))), Locks.absent(held(KEY)));
                List<WriteResult> results = Await.get(store.write(both));
                assertThat(results.get(0)).isEqualTo(WriteResult.Applied.PLAIN);
                assertFailed(results.get(1), "'lock'", "backup");
                assertThat(Await.get(store.scan(ScanRequest.all())).records())
                        .as("a listing leaves it out")
                        .hasSize(1);
            }
        }

        @Test
        @DisplayName("an idle record whose memory cannot be read is not replaced")
        void unreadablePast() throws SQLException {
            RecordKey key = key("idle");
            try (RecordStore store = open()) {
                LockRecord idle = put(store, held(key, new Hold[0]));
                Locks.sql(file, "update holdfast_lock set past = 'x'");
                LockRecord next = held(key);
                Precondition below =
                        new Precondition.IdleBelow(new Token(idle.fence().value() + 1), List.of());
                Write write = Write.of(below, next);
                assertFailed(Locks.write(store, write), "'idle'", "'past'");
                List<Write> both = List.of(Locks.absent(held(key("other"))), write);
                assertFails(StoreUnavailableException.class, () -> Await.get(store.write(both)), "'past'");
                assertThat(query(file, "select busy, past from holdfast_lock")).containsExactly("0|x");
            }
        }
    }

    @Nested
    @DisplayName("closing")
    class Closing {
        @Test
        @DisplayName("leaves one file with everything in it, and no log")
        void leavesNoLog() throws SQLException {
            RecordStore store = open();
            put(store, held(KEY));
            Await.get(store.read(KEY));
            Await.get(store.scan(ScanRequest.all()));
            assertThat(directory.resolve("locks.db-wal")).exists();
            store.close();
            assertThat(directory.resolve("locks.db-wal")).doesNotExist();
            assertThat(query(file, "select name from holdfast_lock")).containsExactly("lock");
        }

        @Test
        @DisplayName("requests afterwards fail as unavailable, naming the file")
        void closed() {
            RecordStore store = open();
            store.close();
            store.close();
            assertFails(StoreUnavailableException.class, () -> put(store, held(KEY)), "closed", file.toString());
        }
    }

    /** Something nobody may change, not even root; where the file system cannot do that, the test is skipped. */
    private record Immutable(Path path) implements AutoCloseable {
        static Immutable make(Path path) throws Exception {
            Assumptions.assumeTrue(chattr("+i", path), "chattr +i does not work here, and root may write anything");
            return new Immutable(path);
        }

        private static boolean chattr(String flag, Path path) throws Exception {
            try {
                return new ProcessBuilder("chattr", flag, path.toString())
                                .start()
                                .waitFor()
                        == 0;
            } catch (IOException e) {
                return false;
            }
        }

        @Override
        public void close() throws Exception {
            chattr("-i", path);
        }
    }
}
