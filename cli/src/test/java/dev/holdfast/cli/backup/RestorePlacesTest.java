package dev.holdfast.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.Stores;
import dev.holdfast.cli.Main;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.fence.FencedTokens;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast restore, with documents elsewhere or into files that are not there yet,")
class RestorePlacesTest {
    private static final Stack SHOP = new Stack("shop", "production");

    @TempDir
    private Path directory;

    @TempDir
    private Path elsewhere;

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

    private List<String> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.map(Path::toString).sorted().toList();
        }
    }

    private void lock(String url) throws InterruptedException {
        try (LockClient client = LockClient.connect(url, ClientConfig.DEFAULT.withOwner("anna"))) {
            client.acquire(LockKey.of("team", "nightly")).close();
        }
    }

    private void save(String locks, String documents) {
        try (StateManager state = StateManager.open(locks, documents, StateConfig.DEFAULT)) {
            byte[] bytes = Tfstate.of(1, "value", "s3cret").getBytes(StandardCharsets.UTF_8);
            state.saveUnlocked(SHOP, bytes, Provenance.of("anna", "deploy"));
        }
    }

    private void backup() throws InterruptedException {
        lock(store("a.db"));
        save(store("a.db"), store("a.db"));
        try (RecordStore store = Stores.open(store("a.db"))) {
            Uninterruptibly.answer(((FencedTokens) store)
                    .raiseFencedTokens(
                            List.of(new FencedToken(new RecordKey("team", "nightly"), "a/b", new Token(4711)))));
        }
        assertThat(run("backup", "--store", store("a.db"), file()))
                .as(err.toString())
                .isZero();
    }

    private void backupAhead() {
        try (RecordStore store = Stores.open(store("a.db"))) {
            LockRecord empty = LockRecord.empty(new RecordKey("team", "ahead"));
            Uninterruptibly.answer(store.write(List.of(Write.create(new LockRecord(
                    empty.format(),
                    empty.key(),
                    new Stamp(7),
                    new Token(Times.micros(Instant.now().plus(Duration.ofMinutes(90)))),
                    empty.holds(),
                    empty.queue(),
                    empty.alive(),
                    empty.past(),
                    empty.extras())))));
        }
        assertThat(run("backup", "--store", store("a.db"), file())).isZero();
    }

    @Test
    @DisplayName("names the place that is not empty, and no other, before it removes what is there")
    void documentsElsewhere() throws Exception {
        backup();
        save(store("other.db"), store("docs.db"));
        String fresh = store("new.db");
        String docs = store("docs.db");
        List<String> before = files();

        assertThat(run("restore", file(), "--store", fresh, "--state-store", docs))
                .isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString())
                .containsPattern("docs\\.db is not empty: \\d+ documents")
                .contains("--state-store", "--replace", "nothing was written")
                .doesNotContain("new.db is not empty", "locks (");
        assertThat(files()).isEqualTo(before);

        assertThat(run("restore", file(), "--store", fresh, "--state-store", docs, "--replace", "--dry-run"))
                .isZero();
        assertThat(out.toString())
                .containsPattern("would first be removed: sqlite:[^ ]*docs\\.db: \\d+ documents; nothing was written");
        assertThat(files()).isEqualTo(before);

        assertThat(run("restore", file(), "--store", fresh, "--state-store", docs, "--replace"))
                .as(err.toString())
                .isZero();
        assertThat(err.toString())
                .containsPattern("Removing what is in sqlite:[^ ]*docs\\.db: \\d+ documents")
                .doesNotContain("new.db");
        assertThat(out.toString())
                .contains("documents in " + docs, "holdfast state ls --store " + fresh + " --state-store " + docs);
        assertThat(run("state", "verify", "shop", "production", "--store", fresh, "--state-store", docs))
                .as(err.toString())
                .isZero();
    }

    @Test
    @DisplayName("names each of two places that are not empty, with what is in it")
    void bothInUse() throws Exception {
        backup();
        save(store("other.db"), store("docs.db"));
        lock(store("new.db"));
        String[] restore = {"restore", file(), "--store", store("new.db"), "--state-store", store("docs.db")};

        assertThat(run(restore)).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString())
                .contains("new.db is not empty: 1 lock (0 held), history. ")
                .containsPattern("docs\\.db is not empty: \\d+ documents\\. ");
    }

    @Test
    @DisplayName("that is refused makes no file, and its dry run refuses the same")
    void refusedBeforeAnythingIsMade() throws Exception {
        backupAhead();
        List<String> before = files();
        assertThat(run("restore", file(), "--store", store("b.db"), "--dry-run"))
                .isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("clock is behind", "It would be refused");
        assertThat(files()).isEqualTo(before);

        assertThat(run("restore", file(), "--store", store("b.db"))).isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("clock is behind", "nothing was written");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    @DisplayName("into a directory that is a file makes nothing, and its dry run refuses the same")
    void fileInTheWay() throws Exception {
        backup();
        String taken = "file:" + Files.writeString(directory.resolve("taken"), "");
        List<String> before = files();
        for (String option : List.of("--state-store", "--guard-store")) {
            assertThat(run("restore", file(), "--store", store("b.db"), option, taken, "--dry-run"))
                    .isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(run("restore", file(), "--store", store("b.db"), option, taken))
                    .isEqualTo(ExitCodes.UNREACHABLE);
            assertThat(err.toString()).contains("taken", "must be a directory");
            assertThat(files()).isEqualTo(before);
        }
        assertThat(run("migrate", "--from", store("a.db"), "--to", store("b.db"), "--documents-to", taken, "--dry-run"))
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(run("migrate", "--from", store("a.db"), "--to", store("b.db"), "--documents-to", taken))
                .isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("must be a directory", "--documents-to");
        assertThat(files()).isEqualTo(before);
    }

    @Test
    @DisplayName("says so if it cannot look at what is not there yet, as nothing can be made for temporary files")
    void nowhereToLook() throws Exception {
        backup();
        List<String> before = files();
        Map<String, String> full = Map.of(
                "JAVA_TOOL_OPTIONS",
                "-Djava.io.tmpdir=" + directory.resolve("gone") + " -Dorg.sqlite.tmpdir="
                        + Files.createDirectories(elsewhere.resolve("driver")));
        for (String[] words : List.of(
                new String[] {"restore", file(), "--store", store("b.db")},
                new String[] {"migrate", "--from", store("a.db"), "--to", store("b.db"), "--dry-run"})) {
            Result result = Shell.bare("", full, words);
            assertThat(result.code()).as(result.err()).isEqualTo(ExitCodes.FAILURE);
            assertThat(result.err())
                    .contains("gone'", "there is no such file or directory", "-Djava.io.tmpdir=DIRECTORY")
                    .doesNotContain("\tat ");
            assertThat(files()).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("has a dry run that looks at the documents although the store is not there yet")
    void dryRunLooksAtDocuments() throws Exception {
        backup();
        save(store("other.db"), store("docs.db"));
        List<String> before = files();

        assertThat(run("restore", file(), "--store", store("new.db"), "--state-store", store("docs.db"), "--dry-run"))
                .isEqualTo(ExitCodes.CHECK_SAID_NO);
        assertThat(err.toString()).contains("docs.db is not empty", "It would be refused");
        assertThat(run("restore", file(), "--store", store("new.db"), "--dry-run"))
                .as(err.toString())
                .isZero();
        assertThat(out.toString()).contains("nothing is in the way", "nothing was written");
        assertThat(err.toString()).doesNotContain("left out"); // a file keeps history and checked tokens
        assertThat(files()).isEqualTo(before);

        String nowhere = store("no/such/new.db");
        assertThat(run("restore", file(), "--store", nowhere)).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(run("restore", file(), "--store", nowhere, "--dry-run")).isEqualTo(ExitCodes.UNREACHABLE);
        assertThat(err.toString()).contains("mkdir -p");
    }

    @Test
    @DisplayName("refuses places that end with the command or are servers, for locks and for documents, as backup does")
    void unfit() throws Exception {
        backup();
        List<String> before = files();
        String stays = "Name a store that stays, such as sqlite:locks.db";
        for (String[] where : List.of(
                new String[] {"--store", "memory:"},
                new String[] {"--store", store("b.db"), "--state-store", "memory:"},
                new String[] {"--store", store("b.db"), "--guard-store", "memory:"})) {
            assertThat(run(words("restore", where))).isEqualTo(ExitCodes.USAGE);
            assertThat(err.toString()).contains("memory: is empty and ends with this command. " + stays);
        }
        assertThat(run("restore", file(), "--store", store("b.db"), "--state-store", "http://127.0.0.1:8080"))
                .isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("is a server");
        assertThat(files()).isEqualTo(before);

        Files.delete(Path.of(file()));
        for (String[] where : List.of(
                new String[] {"--store", "memory:"},
                new String[] {"--store", store("a.db"), "--state-store", "memory:"})) {
            assertThat(run(words("backup", where))).isEqualTo(ExitCodes.USAGE);
            assertThat(err.toString()).contains("memory: is empty and ends with this command. " + stays);
        }
    }

    @Test
    @DisplayName("is not given a backup without the documents, whose place was mistyped")
    void mistypedPlace() throws Exception {
        backup();
        Files.delete(Path.of(file()));
        for (String option : List.of("--state-store", "--guard-store")) {
            for (String place : List.of(store("typo.db"), "file:" + directory.resolve("typo"))) {
                assertThat(run("backup", "--store", store("a.db"), option, place, file()))
                        .isEqualTo(ExitCodes.USAGE);
                assertThat(err.toString()).contains("There are no documents in '" + place + "'", option);
                assertThat(Path.of(file())).doesNotExist();
            }
        }
    }

    private String[] words(String command, String... where) {
        return Stream.of(Stream.of(command), Stream.of(where), Stream.of(file()))
                .flatMap(it -> it)
                .toArray(String[]::new);
    }
}
