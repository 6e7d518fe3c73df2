package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.cli.ForgetfulStore;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.fixture.FaultyStore;
import dev.holdfast.testkit.fixture.FaultyStore.Call;
import dev.holdfast.testkit.fixture.FaultyStore.Fault;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.PostgresServer;
import dev.holdfast.wire.backup.EventPages;
import dev.holdfast.wire.backup.RecordPages;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MigrateTest {
    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private int migrate(String from, String to, String... more) {
        List<String> args = new ArrayList<>(List.of("migrate", "--from", from, "--to", to));
        args.addAll(List.of(more));
        return run(args.toArray(String[]::new));
    }

    private String file(String name) {
        return "sqlite:" + directory.resolve(name);
    }

    /** Locks that were used, with history, once-only markers and remembered leases. */
    private static void fill(String url, int locks) throws Exception {
        try (LockClient client = LockClient.connect(url)) {
            for (int i = 0; i < locks; i++) {
                client.acquire(LockKey.of("team-" + i % 3, "lock-" + i), o -> o.reason("reason"))
                        .close();
            }
            client.runOnce("set-up", "v1", lease -> {});
        }
    }

    private static Map<String, LockRecord> records(String url) {
        Map<String, LockRecord> all = new TreeMap<>();
        try (RecordStore store = Stores.open(url)) {
            RecordPages.each(
                    store,
                    ScanRequest.all(),
                    found -> all.put(found.record().key().toString(), found.record()));
        }
        return all;
    }

    /** With their numbers. */
    private static List<StoredEvent> events(String url) {
        try (RecordStore store = Stores.open(url)) {
            return events((EventLog) store);
        }
    }

    private static List<StoredEvent> events(EventLog log) {
        List<StoredEvent> all = new ArrayList<>();
        new EventPages(log).forEachRemaining(all::add);
        return all;
    }

    private static long token(String url, String namespace, String name) throws InterruptedException {
        try (LockClient client = LockClient.connect(url);
                Lease lease = client.acquire(LockKey.of(namespace, name), o -> {})) {
            return lease.token().value();
        }
    }

    private void movesAll(String from, String to) throws Exception {
        fill(from, 12);
        long before = token(from, "team-0", "lock-0");
        assertThat(migrate(from, to)).as(err.toString()).isZero();
        assertThat(records(to)).isEqualTo(records(from)).hasSize(13);
        assertThat(events(to)).isEqualTo(events(from)).hasSizeGreaterThan(24);
        assertThat(out.toString()).contains("13 locks", "compared (locks, history): all there");
        assertThat(token(to, "team-0", "lock-0")).isGreaterThan(before);
    }

    @Test
    @DisplayName("locks, history and tokens move from one file to another, and tokens go on growing")
    void fileToFile() throws Exception {
        movesAll(file("old.db"), file("new.db"));
    }

    @Test
    @DisplayName("locks, history and tokens move from a file to PostgreSQL and back")
    void postgres() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of this test is for Linux on amd64");
        PostgresServer database = SharedPostgres.server();
        String server = database.freshSchema();
        movesAll(file("old.db"), server);
        long before = token(server, "team-1", "lock-1");
        assertThat(migrate(server, file("back.db"))).as(err.toString()).isZero();
        Map<String, LockRecord> there = records(file("back.db"));
        there.keySet().removeIf(key -> !records(file("old.db")).containsKey(key));
        assertThat(there).hasSize(13);
        assertThat(events(file("back.db"))).isEqualTo(events(server));
        assertThat(token(file("back.db"), "team-1", "lock-1")).isGreaterThan(before);
    }

    @Test
    @DisplayName("a second run finds everything there, and writes nothing twice")
    void again() throws Exception {
        fill(file("old.db"), 5);
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        assertThat(out.toString()).contains("6 already copied", "0 not copied yet");
        assertThat(events(file("new.db"))).isEqualTo(events(file("old.db")));
    }

    @Test
    @DisplayName("what the source did since the last run is added to the target")
    void continued() throws Exception {
        fill(file("old.db"), 5);
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        fill(file("old.db"), 7);
        assertThat(migrate(file("old.db"), file("new.db"))).as(err.toString()).isZero();
        assertThat(records(file("new.db"))).isEqualTo(records(file("old.db")));
        assertThat(events(file("new.db"))).isEqualTo(events(file("old.db")));
    }

    @Test
    @DisplayName("a dry run tells the same, and leaves no file behind")
    void dryRun() throws Exception {
        fill(file("old.db"), 5);
        assertThat(migrate(file("old.db"), file("new.db"), "--dry-run")).isZero();
        assertThat(out.toString()).contains("6 locks", "nothing was written");
        assertThat(directory.resolve("new.db")).doesNotExist();
    }

    @Test
    @DisplayName("a held lock stops the move and is named; with --allow-held its holder can go on in the new store")
    void held() throws Exception {
        LockKey key = LockKey.of("deploy", "web");
        LeaseId id = new LeaseId("lease-of-alice-1");
        ClientConfig alice = ClientConfig.DEFAULT.withOwner("alice");
        try (LockClient client = LockClient.connect(file("old.db"), alice)) {
            Lease lease = client.acquire(key, o -> o.leaseId(id).lease(Duration.ofMinutes(5)));
            assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(err.toString())
                    .contains("'web' in 'deploy'", "held by 'alice'", "--allow-held", "nothing was written");
            assertThat(directory.resolve("new.db")).doesNotExist();
            assertThat(records(file("new.db"))).isEmpty();

            assertThat(migrate(file("old.db"), file("new.db"), "--allow-held"))
                    .as(err.toString())
                    .isZero();
            try (LockClient there = LockClient.connect(file("new.db"))) {
                assertThat(there.inspect().get(key).holders()).singleElement().satisfies(holder -> {
                    assertThat(holder.owner()).isEqualTo("alice");
                    assertThat(holder.token()).isEqualTo(lease.token());
                });
                assertThat(Await.get(there.release(key, id))).isTrue();
                try (Lease next = there.acquire(key, o -> {})) {
                    assertThat(next.token()).isGreaterThan(lease.token());
                }
            }
            lease.close();
        }
    }

    @Test
    @DisplayName("a lock that is held or newer in the target is named and not overwritten")
    void conflict() throws Exception {
        fill(file("old.db"), 3);
        long newer = token(file("new.db"), "team-0", "lock-0");
        assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("'lock-0' in 'team-0' is newer in the target", "nothing was written");
        assertThat(records(file("new.db"))).hasSize(1);
        assertThat(records(file("new.db")).get("team-0:lock-0").fence().value()).isEqualTo(newer);

        token(file("old.db"), "team-0", "lock-0"); // now the source is the newer one
        try (LockClient client = LockClient.connect(file("new.db"));
                Lease held = client.acquire(LockKey.of("team-1", "lock-1"), o -> {})) {
            assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(err.toString()).contains("'lock-1' in 'team-1' is in use in the target");
            assertThat(held.isValid()).isTrue();
        }
    }

    @Test
    @DisplayName("a target whose clock is behind the last token is refused: tokens would not grow")
    void clockBehind() throws Exception {
        fill(file("old.db"), 1);
        long future = System.currentTimeMillis() * 1_000 + Duration.ofHours(1).toMillis() * 1_000;
        try (RecordStore store = Stores.open(file("old.db"))) {
            LockRecord ahead = LockRecord.empty(LockKey.of("default", "ahead").record());
            LockRecord fenced = new LockRecord(
                    ahead.format(),
                    ahead.key(),
                    new Stamp(7),
                    new Token(future),
                    List.of(),
                    List.of(),
                    Map.of(),
                    ahead.past(),
                    Map.of());
            Write write = Write.create(fenced);
            assertThat(Await.get(store.write(List.of(write)))).singleElement().isInstanceOf(WriteResult.Applied.class);
        }
        assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("clock is behind", "Tokens would not grow");
        assertThat(records(file("new.db"))).isEmpty();
    }

    @Test
    @DisplayName(
            "interrupted after any write, known or not to have happened, the next run completes it without a second copy")
    void interruptedAnywhere() throws Exception {
        fill(file("old.db"), 450);
        List<StoredEvent> history = events(file("old.db"));
        assertThat(history.size()).isGreaterThan(500); // several pages
        int interrupted = 0;
        try (RecordStore from = Stores.open(file("old.db"));
                MemoryStore store = MemoryStore.exclusive();
                FaultyStore to = FaultyStore.of(store)) {
            Migration migration = new Migration(from, to);
            HistoryMigration past = new HistoryMigration((EventLog) from, (EventLog) to);
            for (int good = 0; good < 10; good++) {
                to.next(Call.WRITE, good, Fault.NONE);
                to.next(Call.WRITE, 1, good % 2 == 0 ? Fault.UNAVAILABLE : Fault.ANSWER_LOST);
                try {
                    past.copy(past.compare().through(), n -> {});
                    assertThat(migration.copyRecords(n -> {})).isEmpty();
                    break;
                } catch (StoreException cut) {
                    interrupted++;
                    to.heal();
                }
            }
            to.heal();
            assertThat(interrupted).isGreaterThan(2);
            assertThat(MigrationSurvey.of(from, to, Token.NONE, false).already())
                    .isEqualTo(451);
            assertThat(migration.differences(n -> {})).isEmpty();
            assertThat(past.differences()).isEmpty();
            assertThat(events(store)).isEqualTo(history);
        }
    }

    @Test
    @DisplayName("whoever follows the history by number goes on in the new store where it was in the old one")
    void numbersGoOn() throws Exception {
        fill(file("old.db"), 4);
        try (RecordStore store = Stores.open(file("old.db"))) { // as after the time history is kept
            Await.get(((EventLog) store).forget(Instant.now().plusSeconds(60), 5));
        }
        long last = lastNumber(file("old.db"));
        assertThat(migrate(file("old.db"), file("new.db"))).as(err.toString()).isZero();
        assertThat(lastNumber(file("new.db"))).isEqualTo(last);
        token(file("new.db"), "team-0", "lock-0");
        try (RecordStore store = Stores.open(file("new.db"))) {
            assertThat(Await.get(((EventLog) store).events(EventLog.EventQuery.after(last, 10))))
                    .hasSize(2);
        }
    }

    private static long lastNumber(String url) {
        List<StoredEvent> all = events(url);
        return all.get(all.size() - 1).number();
    }

    @Test
    @DisplayName("a target that keeps no history is refused, unless the source's is left behind")
    void noHistory() throws Exception {
        fill(file("old.db"), 3);
        assertThat(migrate(file("old.db"), ForgetfulStore.URL)).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("keeps no history", "--without-history", "nothing was written");
        assertThat(migrate(file("old.db"), ForgetfulStore.URL, "--without-history"))
                .as(err.toString())
                .isZero();
        assertThat(err.toString()).contains("The history is left behind");
    }

    @Test
    @DisplayName("a target with a history of its own is refused, unless the source's is left behind")
    void ownHistory() throws Exception {
        fill(file("old.db"), 3);
        token(file("new.db"), "other", "lock");
        List<StoredEvent> own = events(file("new.db"));
        assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString())
                .contains("history of its own", "other:lock", "--without-history", "nothing was written");
        assertThat(records(file("new.db"))).hasSize(1);

        assertThat(migrate(file("old.db"), file("new.db"), "--without-history"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("compared (locks): all there").doesNotContain("history): all there");
        assertThat(err.toString()).contains("The history is left behind");
        assertThat(events(file("new.db"))).isEqualTo(own);
        assertThat(records(file("new.db"))).hasSize(5);
    }

    @Test
    @DisplayName("a target that is used after the move is no obstacle to looking again, and keeps what it did since")
    void usedSince() throws Exception {
        fill(file("old.db"), 3);
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        token(file("new.db"), "other", "lock");
        assertThat(migrate(file("old.db"), file("new.db"))).as(err.toString()).isZero();
        assertThat(events(file("new.db"))).hasSize(events(file("old.db")).size() + 2);
    }

    @Test
    @DisplayName("an event that is missing or not the same in the target is told, and it is not called all there")
    void historyIsCompared() throws Exception {
        fill(file("old.db"), 3);
        try (RecordStore from = Stores.open(file("old.db"));
                MemoryStore to = MemoryStore.exclusive()) {
            HistoryMigration past = new HistoryMigration((EventLog) from, to);
            List<StoredEvent> all = events((EventLog) from);
            Await.get(to.importAll(all.subList(1, 4)));
            assertThat(past.differences())
                    .containsExactly(
                            (all.size() - 3) + " of " + all.size() + " events are missing in the target's history");
            Await.get(to.importAll(
                    List.of(new StoredEvent(all.get(0).number(), all.get(1).event()))));
            assertThat(past.differences()).hasSize(2).first().asString().contains("Event 1 of the history differs");
        }
    }

    @Test
    @DisplayName("killed in the middle, the next run completes it")
    void killed() throws Exception {
        fill(file("old.db"), 600);
        try (JavaProcess process = JavaProgram.of(Main.class)
                .heap("128m")
                .merged()
                .start("migrate", "--from", file("old.db"), "--to", file("new.db"))) {
            // Whether it has written all or nothing by then: the next run must cope.
            Path log = directory.resolve("new.db-wal");
            while (process.runs() && !(Files.exists(log) && size(log) > 100_000)) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            process.kill();
        }
        assertThat(migrate(file("old.db"), file("new.db"))).as(err.toString()).isZero();
        assertThat(records(file("new.db"))).isEqualTo(records(file("old.db")));
        assertThat(events(file("new.db"))).isEqualTo(events(file("old.db")));
    }

    private static long size(Path path) throws IOException {
        try {
            return Files.size(path);
        } catch (NoSuchFileException e) {
            return 0; // it has just ended
        }
    }

    @Test
    @DisplayName("servers, memory, a missing file and twice the same store are usage errors that say what to name")
    void usage() {
        assertThat(migrate("http://127.0.0.1:8080", file("new.db"))).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("is a server", "sqlite:holdfast-data/holdfast.db");
        assertThat(migrate(file("old.db"), "memory:")).isEqualTo(ExitCodes.USAGE);
        for (String option : List.of("--documents-from", "--documents-to")) {
            assertThat(migrate(file("old.db"), file("new.db"), option, "memory:"))
                    .isEqualTo(ExitCodes.USAGE);
            assertThat(err.toString())
                    .contains("memory: is empty and ends with this command. Name a store that stays, such as");
            err.getBuffer().setLength(0);
        }
        assertThat(migrate(file("none.db"), file("new.db"))).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("no file", "none.db");
        assertThat(migrate(file("a.db"), file("./a.db"))).isEqualTo(ExitCodes.USAGE);
        assertThat(run("migrate")).isEqualTo(ExitCodes.USAGE);
        assertThat(directory).isEmptyDirectory();
        assertThat(migrate(file("none.db"), "nosuch:x")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("a database that cannot be reached is an exit code of its own, without its password")
    void unreachable() throws Exception {
        fill(file("old.db"), 1);
        assertThat(migrate(file("old.db"), "postgresql://a:secret@127.0.0.1:1/x"))
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("127.0.0.1:1").doesNotContain("secret", "\tat ");
    }
}
