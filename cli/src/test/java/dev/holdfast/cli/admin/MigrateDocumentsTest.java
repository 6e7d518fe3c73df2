package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.SharedPostgres;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LeaseId;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.testkit.documents.EncryptedFixture;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.PostgresServer;
import dev.holdfast.wire.backup.DocumentPages;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast migrate, the documents of state and guard")
final class MigrateDocumentsTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final Provenance ANNA = Provenance.of("anna", "deploy");

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int migrate(String from, String to, String... more) {
        List<String> args = new ArrayList<>(List.of("migrate", "--from", from, "--to", to));
        args.addAll(List.of(more));
        return Main.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args.toArray(String[]::new));
    }

    private String file(String name) {
        return "sqlite:" + directory.resolve(name);
    }

    private String files(String name) {
        return "file:" + directory.resolve(name);
    }

    /** State of two stacks with history, a backup and a deletion; apps, resources and what somebody wants of them. */
    private void fill(String locks, String documents) throws Exception {
        try (StateManager state = StateManager.open(locks, documents, StateConfig.DEFAULT)) {
            for (int serial = 1; serial <= 4; serial++) {
                save(state, SHOP, serial);
            }
            state.backup(SHOP);
            Stack gone = new Stack("gone", "test");
            save(state, gone, 1);
            state.delete(gone, ANNA);
        }
    }

    private static void save(StateManager state, Stack stack, int serial) {
        byte[] bytes = Tfstate.of(serial, "value " + serial, "s3cret").getBytes(StandardCharsets.UTF_8);
        assertThat(state.saveUnlocked(stack, bytes, ANNA)).isInstanceOf(SaveOutcome.Saved.class);
    }

    private void guard(String store) throws IOException {
        Path apps = Files.writeString(
                directory.resolve("apps.yaml"),
                "apps:\n"
                        + "  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: DB1}]}\n"
                        + "  billing: {url: 'http://127.0.0.1:9/b', desired: running,"
                        + " databases: [{type: postgres, host: 'db1:5432'}]}\n");
        Shell shell = new Shell(store);
        assertThat(shell.run("guard", "apps", "import", apps.toString()).code()).isZero();
        shell.run("guard", "stop", "shop");
    }

    /** Everything a place has: by name the attributes and the bytes. */
    private static Map<String, String> documents(String url) {
        try (DocumentStore place = DocumentStores.open(url)) {
            return documents(place);
        }
    }

    private static Map<String, String> documents(DocumentStore place) {
        Map<String, String> all = new TreeMap<>();
        for (DocumentHead head : place.list(ListRequest.of("", 1_000)).heads()) {
            Document document = place.get(head.name()).orElseThrow();
            all.put(head.name(), new TreeMap<>(head.attributes()) + " " + Sha256.of(document.content()));
        }
        return all;
    }

    private static void put(String url, String name, String content, Map<String, String> attributes) {
        try (DocumentStore place = DocumentStores.open(url)) {
            place.write(Change.put(name, Condition.none(), content.getBytes(StandardCharsets.UTF_8), attributes));
        }
    }

    @Test
    @DisplayName("encrypted state is copied as it is, without its key, and opens in the new place with it")
    void encrypted() {
        StateConfig sealed = StateConfig.DEFAULT.withKeys(EncryptedFixture.keys('a'));
        String from = file("sealed.db");
        String to = files("sealed");
        try (StateManager state = StateManager.open(from, from, sealed)) {
            save(state, SHOP, 1);
            save(state, SHOP, 2);
        }
        assertThat(migrate(from, file("target.db"), "--documents-to", to))
                .as(err.toString())
                .isZero();
        assertThat(documents(to)).isEqualTo(documents(from)).hasSizeGreaterThan(2);
        try (StateManager state = StateManager.open(file("target.db"), to, sealed)) {
            assertThat(state.load(SHOP).orElseThrow().version().serial()).isEqualTo(2);
            assertThat(state.verify(SHOP).isGood()).isTrue();
            save(state, SHOP, 3);
        }
    }

    private void movesAll(String from, String to) throws Exception {
        fill(from, from);
        guard(from);
        assertThat(migrate(from, to)).as(err.toString()).isZero();
        assertThat(documents(to))
                .isEqualTo(documents(from))
                .hasSizeGreaterThan(8)
                .containsKeys("stacks/shop/production/state.json", "guard/apps/shop.json");
        assertThat(out.toString()).contains("documents of", "compared (locks, history, documents): all there");
        for (List<String> look : List.of(
                List.of("state", "ls"),
                List.of("state", "history", "shop", "production"),
                List.of("state", "verify", "shop", "production"),
                List.of("state", "history", "gone", "test"),
                List.of("guard", "apps", "-o", "json"),
                List.of("guard", "status", "-o", "json"),
                List.of("history", "-o", "json"))) {
            Result there = new Shell(to).run(look.toArray(String[]::new));
            assertThat(there).as(look.toString()).isEqualTo(new Shell(from).run(look.toArray(String[]::new)));
            assertThat(there.out()).as(look.toString()).isNotEmpty();
        }
        try (StateManager state = StateManager.open(to, to, StateConfig.DEFAULT)) {
            save(state, SHOP, 5);
            assertThat(state.history(SHOP, 10).versions()).hasSize(5);
        }
    }

    @Test
    @DisplayName(
            "state with all its versions, backups and claims, and the guard's apps and wishes move from file to file")
    void fileToFile() throws Exception {
        movesAll(file("old.db"), file("new.db"));
    }

    @Test
    @DisplayName("they move from a file to PostgreSQL, and on to a directory of files")
    void postgres() throws Exception {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the PostgreSQL server of this test is for Linux on amd64");
        PostgresServer database = SharedPostgres.server();
        String server = database.freshSchema();
        movesAll(file("old.db"), server);
        assertThat(migrate(server, file("back.db"), "--documents-to", files("plain")))
                .as(err.toString())
                .isZero();
        assertThat(documents(files("plain"))).isEqualTo(documents(server));
        assertThat(directory.resolve("back-documents.db")).doesNotExist();
        assertThat(migrate(file("back.db"), database.freshSchema(), "--documents-from", files("plain")))
                .as(err.toString())
                .isZero();
    }

    @Test
    @DisplayName(
            "a holder of the old store that was ended can neither save nor claim in the new one, and tokens go on growing")
    void zombies() throws Exception {
        fill(file("old.db"), file("old.db"));
        LeaseId id = new LeaseId("lease-of-the-zombie-1");
        ClientConfig zombie = ClientConfig.DEFAULT.withOwner("zombie");
        byte[] late = Tfstate.of(9, "late", "x").getBytes(StandardCharsets.UTF_8);
        try (LockClient old = LockClient.connect(file("old.db"), zombie);
                DocumentStore oldDocuments = DocumentStores.open(file("old.db"));
                StateManager before = StateManager.on(old, oldDocuments, StateConfig.DEFAULT)) {
            Lease lease = old.acquire(SHOP.lock(), o -> o.leaseId(id).lease(Duration.ofMinutes(5)));
            assertThat(before.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
            assertThat(migrate(file("old.db"), file("new.db"), "--allow-held"))
                    .as(err.toString())
                    .isZero();
            try (LockClient locks = LockClient.connect(file("new.db"));
                    DocumentStore documents = DocumentStores.open(file("new.db"));
                    StateManager after = StateManager.on(locks, documents, StateConfig.DEFAULT)) {
                assertThat(after.save(SHOP, id, late, ANNA))
                        .as("its lease and its claim moved with it")
                        .isInstanceOf(SaveOutcome.Saved.class);
                locks.inspect().forceUnlock(SHOP.lock(), lease.token(), "dead");
                assertThat(refusal(after.save(SHOP, id, late, ANNA))).isEqualTo(StateRefusal.Reason.NOT_HELD);
                try (Lease next = locks.acquire(SHOP.lock(), o -> {})) {
                    assertThat(next.token()).isGreaterThan(lease.token());
                    assertThat(after.claim(next)).isInstanceOf(ClaimOutcome.Claimed.class);
                    assertThat(refusal(after.claim(SHOP, id, lease.token()))).isEqualTo(StateRefusal.Reason.FENCED);
                    assertThat(after.save(SHOP, id, late, ANNA)).isInstanceOf(StateRefusal.class);
                }
            }
            lease.close();
        }
    }

    private static StateRefusal.Reason refusal(Object outcome) {
        assertThat(outcome).isInstanceOf(StateRefusal.class);
        return ((StateRefusal) outcome).reason();
    }

    @Test
    @DisplayName("a claim whose lock is forgotten still counts: a target whose clock is behind its token is refused")
    void tokenOfADocument() throws Exception {
        fill(file("old.db"), file("old.db"));
        long future = (System.currentTimeMillis() + Duration.ofHours(1).toMillis()) * 1_000;
        put(file("old.db"), "stacks/x/y/state.json", "", Map.of("token", Long.toString(future)));
        assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("clock is behind", "Tokens would not grow");
        assertThat(migrate(file("old.db"), file("new.db"), "--documents-to", file("old.db")))
                .as("also if the documents stay where they are")
                .isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(out.toString()).contains("documents stay in sqlite:");
    }

    @Test
    @DisplayName(
            "documents of the target that differ, or that only it has, are refused unless --replace-documents is said")
    void others() throws Exception {
        fill(file("old.db"), file("old.db"));
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        put(file("old.db"), "guard/apps/web.json", "{\"a\":1}", Map.of());
        put(file("new.db"), "guard/apps/web.json", "{\"a\":2}", Map.of());
        put(file("new.db"), "guard/apps/own.json", "{}", Map.of());
        Map<String, String> before = documents(file("new.db"));
        assertThat(migrate(file("old.db"), file("new.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString())
                .contains("'guard/apps/web.json' is different in the target", "--replace-documents")
                .contains("'guard/apps/own.json' is only in the target", "nothing was written");
        assertThat(documents(file("new.db"))).isEqualTo(before);

        assertThat(migrate(file("old.db"), file("new.db"), "--replace-documents"))
                .as(err.toString())
                .isZero();
        assertThat(err.toString()).contains("'guard/apps/own.json' is only in the target, and is left as it is");
        assertThat(documents(file("new.db")))
                .containsAllEntriesOf(documents(file("old.db")))
                .containsKey("guard/apps/own.json");
    }

    @Test
    @DisplayName("a document that carries a later token in the target is never overwritten")
    void laterToken() throws Exception {
        fill(file("old.db"), file("old.db"));
        assertThat(migrate(file("old.db"), file("new.db"))).isZero();
        put(file("new.db"), "stacks/shop/production/state.json", "{}", Map.of("token", "999999999999999999"));
        assertThat(migrate(file("old.db"), file("new.db"), "--replace-documents"))
                .isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("carries a later token in the target", "nothing was written");
    }

    @Test
    @DisplayName(
            "a dry run counts them and makes no file; 'none' leaves them behind and says so; a missing directory is a mistake")
    void options() throws Exception {
        fill(file("old.db"), file("old.db"));
        assertThat(migrate(file("old.db"), file("new.db"), "--dry-run", "--documents-to", files("plain")))
                .isZero();
        assertThat(out.toString()).containsPattern("\\d+ documents of [0-9,]+ bytes in sqlite:");
        assertThat(directory.resolve("plain")).doesNotExist();
        assertThat(directory.resolve("new-documents.db")).doesNotExist();

        assertThat(migrate(file("old.db"), file("new.db"), "--documents-from", files("nowhere")))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(migrate(file("old.db"), file("new.db"), "--documents-from", file("typo.db")))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("There are no documents in", "nowhere", "typo.db", "--documents-from");

        assertThat(migrate(file("old.db"), file("new.db"), "--documents-from", "none"))
                .isZero();
        assertThat(err.toString()).contains("Documents are left behind");
        assertThat(out.toString()).contains("compared (locks, history): all there");
        assertThat(directory.resolve("new-documents.db")).doesNotExist();
    }

    @Test
    @DisplayName("without documents it says so, and where else they may be; no file is made for them on either side")
    void noDocuments() throws Exception {
        try (LockClient client = LockClient.connect(file("old.db"))) {
            client.acquire(SHOP.lock(), o -> {}).close();
        }
        assertThat(migrate(file("old.db"), file("new.db"))).as(err.toString()).isZero();
        assertThat(out.toString()).contains("no documents in sqlite:", "state.store", "--documents-from");
        assertThat(directory.resolve("old-documents.db")).doesNotExist();
        assertThat(directory.resolve("new-documents.db")).doesNotExist();
    }

    @Test
    @DisplayName("a document the target cannot take is named before anything is written")
    void tooLarge() {
        try (DocumentStore from = new MemoryDocuments();
                DocumentStore to = new UnsteadyDocuments(new MemoryDocuments(), 10)) {
            from.write(Change.put("stacks/a/b/state.json", Condition.absent(), new byte[11], Map.of()));
            assertThat(new DocumentMigration(from, to).survey(false).problems())
                    .singleElement()
                    .asString()
                    .contains("'stacks/a/b/state.json' has 11 bytes", "at most 10", "--documents-to");
        }
    }

    @Test
    @DisplayName("interrupted after any write, known or not to have happened, the next run completes it")
    void interruptedAnywhere() throws Exception {
        fill(file("old.db"), file("old.db"));
        try (DocumentStore from = DocumentStores.open(file("old.db"));
                MemoryDocuments place = new MemoryDocuments();
                UnsteadyDocuments to = new UnsteadyDocuments(place, 1_000_000)) {
            DocumentMigration documents = new DocumentMigration(from, to);
            int interrupted = 0;
            for (int good = 0; good < 20; good++) {
                to.failAfter(good, good % 2 == 0);
                try {
                    assertThat(documents.survey(false).problems()).isEmpty();
                    assertThat(documents.copy(false, n -> {})).isEmpty();
                    break;
                } catch (StoreException cut) {
                    interrupted++;
                }
            }
            assertThat(interrupted).isGreaterThan(2);
            assertThat(documents.differences(n -> {})).isEmpty();
            assertThat(documents(place)).isEqualTo(documents(from));
        }
    }

    @Test
    @DisplayName("a byte or an attribute that is not the same at the end is told, and a document that is missing")
    void compared() {
        try (DocumentStore from = new MemoryDocuments();
                DocumentStore to = new MemoryDocuments()) {
            DocumentMigration documents = new DocumentMigration(from, to);
            for (String name : List.of("a", "b", "c", "d")) {
                from.write(Change.put(name, Condition.none(), bytes("same"), Map.of("token", "5")));
                to.write(Change.put(name, Condition.none(), bytes("same"), Map.of("token", "5")));
            }
            assertThat(documents.differences(n -> {})).isEmpty();
            to.write(Change.put("a", Condition.none(), bytes("sama"), Map.of("token", "5")));
            to.write(Change.put("b", Condition.none(), bytes("same"), Map.of("token", "4")));
            to.write(Change.delete("c", Condition.none()));
            assertThat(documents.differences(n -> {}))
                    .hasSize(3)
                    .anySatisfy(it -> assertThat(it).contains("'a' differs"))
                    .anySatisfy(it -> assertThat(it).contains("'b' differs"))
                    .anySatisfy(it -> assertThat(it).contains("'c' is missing"));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @DisplayName("killed in the middle of the documents, the next run completes it, and nothing is there twice")
    void killed() throws Exception {
        fill(file("old.db"), file("old.db"));
        for (int i = 0; i < 60; i++) {
            put(file("old.db"), "stacks/big/env-" + i + "/state.json", ("x" + i).repeat(50_000), Map.of());
        }
        try (JavaProcess process = JavaProgram.of(Main.class)
                .heap("128m")
                .merged()
                .start("migrate", "--from", file("old.db"), "--to", file("new.db"), "--documents-to", files("plain"))) {
            Path some = directory.resolve("plain/stacks/big/env-2/state.json"); // in the middle of their order
            while (process.runs() && !Files.exists(some)) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            process.kill();
            assertThat(process.output()).doesNotContain("all there");
        }
        assertThat(migrate(file("old.db"), file("new.db"), "--documents-to", files("plain")))
                .as(err.toString())
                .isZero();
        assertThat(documents(files("plain"))).isEqualTo(documents(file("old.db")));
        assertThat(out.toString()).doesNotContain("documents of 0", ", 0 already copied\nnewest");
        Optional<DocumentHead> other;
        try (DocumentStore place = DocumentStores.open(files("plain"))) {
            other = place.list(ListRequest.of("stacks/big/", 1_000)).heads().stream()
                    .filter(head -> !head.name().startsWith("stacks/big/env-"))
                    .findAny();
        }
        assertThat(other).isEmpty();
    }

    @Test
    @DisplayName("states that others put there, listed only by what they are called, are copied too")
    void unclaimed() {
        String state = "stacks/shop/production/state.json";
        MemoryDocuments from = new MemoryDocuments();
        from.write(Change.put(state, Condition.absent(), "{}".getBytes(StandardCharsets.UTF_8), Map.of()));
        DocumentStore bucket = new UnsteadyDocuments(from, 1_000) {
            @Override
            public DocumentPage list(ListRequest request) {
                return request.leaf().isPresent() ? super.list(request) : new DocumentPage(List.of(), Optional.empty());
            }
        };
        MemoryDocuments to = new MemoryDocuments();
        assertThat(DocumentPages.isEmpty(bucket)).isFalse();
        DocumentMigration documents = new DocumentMigration(bucket, to);
        assertThat(documents.survey(false).documents()).isEqualTo(1);
        assertThat(documents.copy(false, n -> {})).isEmpty();
        assertThat(to.get(state)).isPresent();
        assertThat(documents.differences(n -> {})).isEmpty();
        assertThat(new DocumentMigration(to, bucket).survey(false).documents())
                .as("one that is listed both ways counts once")
                .isEqualTo(1);
    }
}
