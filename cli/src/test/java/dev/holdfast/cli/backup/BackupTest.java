package dev.holdfast.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.ClientConfig;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.servers.MariadbServer;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.EventPages;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast backup and restore")
@Timeout(120)
class BackupTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final Provenance ANNA = Provenance.of("anna", "deploy");
    private static final LockKey NIGHTLY = LockKey.of("billing", "nightly");

    @TempDir
    private Path directory;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    private int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    private String store(String name) {
        return "sqlite:" + directory.resolve(name);
    }

    private String file() {
        return directory.resolve("all.backup").toString();
    }

    private static void save(StateManager state, int serial) {
        byte[] bytes = Tfstate.of(serial, "value " + serial, "s3cret").getBytes(StandardCharsets.UTF_8);
        assertThat(state.saveUnlocked(SHOP, bytes, ANNA)).isInstanceOf(SaveOutcome.Saved.class);
    }

    /** Locks, one of them held, with history; state with versions; an app of the guard; a token that tables check. */
    private void fill(String url) throws Exception {
        try (LockClient client = LockClient.connect(url, ClientConfig.DEFAULT.withOwner("anna"))) {
            for (int i = 0; i < 8; i++) {
                client.acquire(LockKey.of("team", "lock-" + i), o -> o.reason("reason"))
                        .close();
            }
            client.runOnce("set-up", "v1", lease -> {});
        }
        assertThat(new Shell(url)
                        .run("acquire", "billing:nightly", "--owner", "anna", "--lease", "1h", "--reason", "invoices")
                        .code())
                .isZero();
        try (StateManager state = StateManager.open(url, url, StateConfig.DEFAULT)) {
            save(state, 1);
            save(state, 2);
        }
        Path apps = Files.writeString(
                directory.resolve("apps.yaml"),
                "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: DB1}]}\n");
        assertThat(new Shell(url)
                        .run("guard", "apps", "import", apps.toString())
                        .code())
                .isZero();
        raise(url, 4711);
    }

    private static void raise(String url, long token) {
        try (RecordStore store = Stores.open(url)) {
            Uninterruptibly.answer(((FencedTokens) store)
                    .raiseFencedTokens(
                            List.of(new FencedToken(new RecordKey("billing", "nightly"), "a/b", new Token(token)))));
        }
    }

    private static List<FencedToken> fences(String url) {
        try (RecordStore store = Stores.open(url)) {
            return Uninterruptibly.answer(((FencedTokens) store).fencedTokens(Optional.empty(), 100));
        }
    }

    private static List<StoredEvent> events(String url) {
        try (RecordStore store = Stores.open(url)) {
            List<StoredEvent> all = new ArrayList<>();
            new EventPages((EventLog) store).forEachRemaining(all::add);
            return all;
        }
    }

    private static Map<String, String> documents(String url) {
        Map<String, String> all = new TreeMap<>();
        try (DocumentStore place = DocumentStores.open(url)) {
            DocumentPages.each(
                    place,
                    head -> all.put(
                            head.name(),
                            new TreeMap<>(head.attributes())
                                    + Sha256.of(
                                            place.get(head.name()).orElseThrow().content())));
        }
        return all;
    }

    private static long token(String url, LockKey key) throws InterruptedException {
        try (LockClient client = LockClient.connect(url);
                Lease lease = client.acquire(key, o -> o.waitUpTo(Duration.ofSeconds(5)))) {
            return lease.token().value();
        }
    }

    private static Holder holder(String url) throws InterruptedException {
        try (LockClient client = LockClient.connect(url)) {
            return client.inspect().get(NIGHTLY).holders().get(0);
        }
    }

    /** From one store to another: the same history, documents and holder, marked; and tokens above all that were given out. */
    private void comesBack(String from, String to) throws Exception {
        fill(from);
        assertThat(run("backup", "--store", from, file())).as(err.toString()).isZero();
        assertThat(out.toString()).contains("11 locks (1 held)", "read back and compared: all there");
        long later = token(from, LockKey.of("team", "lock-0")); // given out after the backup, and lost with the store
        List<StoredEvent> history = events(from);
        Map<String, String> kept = documents(from);

        assertThat(run("restore", file(), "--store", to)).as(err.toString()).isZero();
        assertThat(out.toString())
                .contains(
                        "all there",
                        "billing:nightly held by 'anna'",
                        "holdfast doctor",
                        "state verify",
                        "guard status");
        assertThat(events(to)).containsAll(history.subList(0, history.size() - 2));
        assertThat(documents(to)).isEqualTo(kept).hasSizeGreaterThan(3);
        assertThat(fences(to)).isEqualTo(fences(from)).hasSize(1);
        assertThat(holder(to).owner()).isEqualTo("anna");
        assertThat(holder(to).token()).isEqualTo(holder(from).token());
        assertThat(holder(to).metadata()).containsKey(RestoredLock.MARK);
        assertThat(token(to, LockKey.of("team", "lock-0"))).isGreaterThan(later);
        assertThat(token(to, LockKey.of("team", "never-seen"))).isGreaterThan(later);
        assertThat(run("explain", "--store", to, "billing:nightly")).isZero();
        assertThat(out.toString()).contains("invoices (restored from the backup of ");
        assertThat(run("history", "--store", to, "billing:nightly")).isZero();
        assertThat(out.toString()).contains("store.restored", "restored from the backup of ");
        assertThat(run("state", "verify", "--store", to, "shop", "production")).isZero();
    }

    @Test
    @DisplayName("bring everything from SQLite into another file")
    void sqlite() throws Exception {
        comesBack(store("a.db"), store("b.db"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(file()))))
                .isEqualTo("rw-------");
    }

    private static void canRunServers() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the server of these tests is for Linux on amd64");
    }

    @Test
    @DisplayName("bring everything from PostgreSQL into PostgreSQL, and into SQLite")
    void postgres() throws Exception {
        canRunServers();
        comesBack(SharedPostgres.server().freshSchema(), SharedPostgres.server().freshSchema());
        assertThat(run("restore", file(), "--store", store("c.db")))
                .as(err.toString())
                .isZero();
    }

    @Test
    @DisplayName("bring everything from MariaDB into MariaDB")
    void mariadb() throws Exception {
        canRunServers();
        try (MariadbServer server = MariadbServer.quick()) {
            comesBack(server.url(server.freshDatabase()), server.url(server.freshDatabase()));
        }
    }

    @Test
    @DisplayName(
            "never write over a file or into a store that is used, unless that is said; then numbers and tokens grow on")
    void used() throws Exception {
        String store = store("a.db");
        fill(store);
        assertThat(run("backup", "--store", store, file())).isZero();
        byte[] first = Files.readAllBytes(Path.of(file()));
        assertThat(run("backup", "--store", store, file())).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--force");
        assertThat(Files.readAllBytes(Path.of(file()))).isEqualTo(first);

        long later = token(store, LockKey.of("team", "later"));
        try (StateManager state = StateManager.open(store, store, StateConfig.DEFAULT)) {
            save(state, 3);
        }
        raise(store, 5000);
        List<StoredEvent> before = events(store);
        long last = before.get(before.size() - 1).number();

        assertThat(run("restore", file(), "--store", store)).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("is not empty", "--replace", "nothing was written");
        assertThat(events(store)).isEqualTo(before);
        assertThat(run("restore", file(), "--store", store, "--replace", "--dry-run"))
                .isZero();
        assertThat(events(store)).isEqualTo(before);

        assertThat(run("restore", file(), "--store", store, "--replace"))
                .as(err.toString())
                .isZero();
        try (StateManager state = StateManager.open(store, store, StateConfig.DEFAULT)) {
            assertThat(state.load(SHOP).orElseThrow().version().serial()).isEqualTo(2);
        }
        assertThat(fences(store).get(0).token()).isEqualTo(new Token(5000)); // never lowered
        assertThat(token(store, LockKey.of("team", "later"))).isGreaterThan(later);
        List<StoredEvent> now = events(store);
        assertThat(now.get(now.size() - 1).number()).isGreaterThan(last);
        assertThat(now).noneMatch(event -> event.event().key().name().equals("later") && event.number() <= last);
        assertThat(run("restore", file(), "--store", store, "--replace"))
                .as(err.toString())
                .isZero();
        assertThat(run("backup", "--store", store, "--force", file())).isZero();
    }

    @Test
    @DisplayName("a damaged file is refused before anything is touched")
    void damaged() throws Exception {
        fill(store("a.db"));
        assertThat(run("backup", "--store", store("a.db"), file())).isZero();
        byte[] whole = Files.readAllBytes(Path.of(file()));
        byte[] changed = whole.clone();
        changed[changed.length / 2] ^= 1;
        for (byte[] bad : List.of(changed, Arrays.copyOf(whole, whole.length - 30), new byte[10])) {
            Files.write(Path.of(file()), bad);
            assertThat(run("restore", file(), "--store", store("b.db"))).isEqualTo(ExitCodes.FAILURE);
            assertThat(err.toString()).contains("cannot be used");
            assertThat(directory.resolve("b.db")).doesNotExist();
        }
    }

    @Test
    @DisplayName("a backup that fails leaves no file, under no name")
    void halfWritten() {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> new BackupFile(Path.of(file())).write(false, out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("No space left on device");
                }));
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(() -> new BackupFile(Path.of(file())).write(false, out -> out.write(new byte[10])))
                .withMessageContaining("cannot be used");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    @DisplayName("are refused where the clock is behind a token that was given out")
    void clockBehind() {
        Instant ahead = Instant.now().plus(Duration.ofMinutes(90));
        try (RecordStore store = Stores.open(store("a.db"))) {
            LockRecord empty = LockRecord.empty(new RecordKey("team", "ahead"));
            Uninterruptibly.answer(store.write(List.of(Write.create(new LockRecord(
                    empty.format(),
                    empty.key(),
                    new Stamp(7),
                    new Token(Times.micros(ahead)),
                    empty.holds(),
                    empty.queue(),
                    empty.alive(),
                    empty.past(),
                    empty.extras())))));
        }
        assertThat(run("backup", "--store", store("a.db"), file())).isZero();
        assertThat(run("restore", file(), "--store", store("b.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("clock is behind", "wait 1h", "nothing was written");
    }

    @Test
    @DisplayName("through a server: while it is in use, for admins, and what comes out fits together")
    void server() throws Exception {
        try (LocalServer server = LocalServer.start(directory)) {
            String data = store("holdfast-data/holdfast.db");
            assertThat(run("backup", "--store", data, file())).isEqualTo(ExitCodes.UNREACHABLE); // the server has it
            assertThat(directory.resolve("all.backup")).doesNotExist();
            push(server, 1);
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> work = CompletableFuture.runAsync(() -> {
                for (int serial = 2; !over.get(); serial++) {
                    push(server, serial);
                }
            });
            assertThat(run("backup", "--server", server.url(), file()))
                    .as(err.toString())
                    .isZero();
            assertThat(run("backup", "--server", server.url(), "--force", file()))
                    .as(err.toString())
                    .isZero();
            over.set(true);
            work.join();
            assertThat(out.toString()).contains("compared: all there");
        }
        assertThat(run("restore", file(), "--store", store("b.db")))
                .as(err.toString())
                .isZero();
        assertThat(run("state", "verify", "--store", store("b.db"), "shop", "production"))
                .as(out + " " + err)
                .isZero();
    }

    private void push(LocalServer server, int serial) {
        Path state = write("state.json", Tfstate.of(serial, "value", "s3cret"));
        assertThat(Main.commandLine()
                        .execute("state", "push", "--server", server.url(), "shop", "production", state.toString()))
                .isZero();
    }

    private Path write(String name, String text) {
        try {
            return Files.writeString(directory.resolve(name), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    @DisplayName("through a server that asks who calls, they need the role admin in all namespaces")
    void role() throws Exception {
        String sha = Sha256.of("reader-token-0123456789".getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                directory.resolve("holdfast.yaml"),
                "auth:\n  tokens:\n    - {id: eyes, sha256: " + sha + ", roles: {billing: [admin]}}\n");
        Path token = Files.writeString(directory.resolve("token"), "reader-token-0123456789");
        try (LocalServer server = LocalServer.start(directory)) {
            assertThat(run("backup", "--server", server.url(), "--token-file", token.toString(), file()))
                    .isEqualTo(ExitCodes.REFUSED);
            assertThat(err.toString()).contains("role 'admin' in all namespaces");
        }
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.filter(it -> it.toString().contains(".backup"))).isEmpty();
        }
    }
}
