package dev.holdfast.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.LockClient;
import dev.holdfast.cli.Abandoned;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast state")
final class StateCommandsTest {
    private static final Stack SHOP = new Stack("shop", "production");

    @TempDir
    private Path directory;

    private Shell shell;

    @BeforeEach
    void open() {
        shell = Shell.on(directory);
    }

    private Result state(String... args) {
        List<String> all = new ArrayList<>(List.of("state"));
        all.addAll(List.of(args));
        return shell.run(all.toArray(String[]::new));
    }

    private Path file(String content) throws Exception {
        Path file = directory.resolve("my.tfstate");
        return Files.writeString(file, content);
    }

    private String push(String content, String... more) throws Exception {
        List<String> args = new ArrayList<>(
                List.of("push", "shop", "production", file(content).toString(), "-o", "name"));
        args.addAll(List.of(more));
        Result pushed = state(args.toArray(String[]::new));
        assertThat(pushed.code()).as(pushed.toString()).isZero();
        return pushed.out().strip();
    }

    private void holdBy(String owner) {
        Result taken = shell.run(
                "acquire", SHOP.lock().name(), "-N", "deploy", "--lease", "1h", "--owner", owner, "--reason", "apply");
        assertThat(taken.code()).as(taken.toString()).isZero();
    }

    @Nested
    @DisplayName("shows")
    final class Shows {
        @Test
        @DisplayName("what is there: ls, show, history, in every format")
        void looks() throws Exception {
            String first = push(Tfstate.of(1, "one", "s3cret"));
            String second = push(Tfstate.of(2, "two", "s3cret"));
            holdBy("anna");

            assertThat(state("ls").out())
                    .containsPattern("STACK +ENVIRONMENT +SERIAL +SIZE +SAVED +VERSION +LOCKED BY")
                    .containsPattern("shop +production +2 +\\d+ B +\\S+Z +" + second + " +anna");
            assertThat(state("ls", "-o", "name").out()).isEqualTo("shop/production\n");
            assertThat(state("ls", "other").out()).isEmpty();
            assertThat(state("ls", "-o", "json").out())
                    .contains("\"stack\":\"shop\",\"environment\":\"production\",\"version\":\"" + second
                            + "\",\"serial\":2")
                    .contains("\"Who\":\"anna\",\"Operation\":\"apply\"");

            Result show = state("show", "--stack", "shop", "--environment", "production");
            assertThat(show.out())
                    .containsPattern("Serial +2\n")
                    .containsPattern("Lineage +11111111-2222")
                    .containsPattern("Version +" + second)
                    .containsPattern("held by +anna")
                    .doesNotContain("s3cret");
            assertThat(state("show", "shop", "production", "-o", "json").out())
                    .contains("\"sha256\":\"", "\"operation\":\"state push\"", "\"locked\":true");

            Result history = state("history", "shop", "production");
            assertThat(history.out()).containsSubsequence(second, first);
            assertThat(state("history", "shop", "production", "-o", "name").out())
                    .isEqualTo(second + "\n" + first + "\n");
            Result one = state("history", "shop", "production", "--limit", "1", "-o", "name");
            assertThat(one.out()).isEqualTo(second + "\n");
            assertThat(one.err()).contains("older");
        }

        @Test
        @DisplayName("the state byte for byte, the current one or another")
        void pulls() throws Exception {
            String odd = Tfstate.of(1, "one", "x").replace("\n", "\r\n");
            String first = push(odd);
            push(Tfstate.of(2, "two", "x"));
            Result current = shell.process("", Map.of(), "state", "pull", "shop", "production");
            assertThat(current.out()).isEqualTo(Tfstate.of(2, "two", "x"));
            Result older = shell.printed("state", "pull", "shop", "production", "--version", first);
            assertThat(older.out()).isEqualTo(odd);
            Result fromEnvironment = shell.process(
                    "", Map.of("HOLDFAST_STACK", "shop", "HOLDFAST_ENVIRONMENT", "production"), "state", "pull");
            assertThat(fromEnvironment.out()).isEqualTo(Tfstate.of(2, "two", "x"));
        }

        @Test
        @DisplayName("that there is none, without making a file for it")
        void nothing() {
            assertThat(state("ls").err()).contains("No state is kept here");
            assertThat(state("show", "shop", "production").code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(state("pull", "shop", "production").err())
                    .contains("There is no state of stack 'shop' in 'production'");
            assertThat(state("backup", "shop", "production").code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(state("diff", "shop", "production").code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(state("history", "shop", "production").err()).contains("Nothing was ever saved");
            assertThat(state("locks").err()).contains("No stack is locked");
            assertThat(directory.resolve("locks.db")).doesNotExist();
        }

        @Test
        @DisplayName("what changed, by resource; secrets are masked, colours when wanted")
        void diffs() throws Exception {
            String first = push(Tfstate.of(1, "one", "s3cret-old"));
            String second = push(Tfstate.of(2, "two", "s3cret-new"));
            Result diff = state("diff", "shop", "production");
            assertThat(diff.code()).isZero();
            assertThat(diff.out())
                    .contains(
                            "~ terraform_data.web",
                            "\"one\" -> \"two\"",
                            "(secret) -> (secret)",
                            "~ /serial: 1 -> 2",
                            "2 changed")
                    .doesNotContain("s3cret", "\u001b");
            assertThat(diff.err()).contains("From " + first + " to " + second);
            assertThat(state("diff", "shop", "production", "--color", "always").out())
                    .contains("\u001b[31m\"one\"", "\u001b[32m\"two\"");
            Result json = state("diff", "shop", "production", "--from", second, "--to", first, "-o", "json");
            assertThat(json.out())
                    .contains("\"address\":\"terraform_data.web\",\"kind\":\"changed\"")
                    .doesNotContain("s3cret");
            assertThat(state("diff", "shop", "production", "--exit-code").code())
                    .isEqualTo(ExitCodes.CHECK_SAID_NO);
            Result same = state("diff", "shop", "production", "--from", first, "--to", first, "--exit-code");
            assertThat(same.code()).isZero();
            assertThat(same.out()).contains("Nothing differs");
            assertThat(state("diff", "shop", "production", "--to", first).out()).contains("+ terraform_data.web");
            Result unknown = state("diff", "shop", "production", "--from", "20200101T000000.000000Z-aaaaaaaa");
            assertThat(unknown.code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(unknown.err()).contains("holdfast state history shop production");
        }
    }

    @Nested
    @DisplayName("push")
    final class Push {
        @Test
        @DisplayName("refuses another lineage, a lower serial, and another state of the same serial, unless forced")
        void order() throws Exception {
            push(Tfstate.of(5, "one", "x"));
            assertThat(push(Tfstate.of(5, "one", "x"))).isNotEmpty(); // the same again
            refused(Tfstate.of(4, "two", "x"), "its serial 4 is below the current 5");
            refused(Tfstate.of(5, "two", "x"), "same serial 5");
            refused(Tfstate.of("another-lineage", 9, "two", "x"), "lineage");
            assertThat(push(Tfstate.of("another-lineage", 1, "two", "x"), "--force"))
                    .isNotEmpty();
            assertThat(state("show", "shop", "production").out()).containsPattern("Serial +1\n");
        }

        private void refused(String content, String why) throws Exception {
            Result result = state("push", "shop", "production", file(content).toString());
            assertThat(result.code()).as(result.toString()).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(result.err()).contains(why, "--force");
        }

        @Test
        @DisplayName("is busy while another holds the lock, and says who; also with --force")
        void busy() throws Exception {
            holdBy("anna");
            Result busy = state(
                    "push",
                    "shop",
                    "production",
                    "--force",
                    file(Tfstate.of(1, "a", "b")).toString());
            assertThat(busy.code()).isEqualTo(ExitCodes.BUSY);
            assertThat(busy.err()).contains("held by 'anna' (apply)");
            assertThat(state("history", "shop", "production").out()).isEmpty();
        }

        @Test
        @DisplayName("takes no longer than it needs, and leaves no lock")
        void releases() throws Exception {
            push(Tfstate.of(1, "a", "b"));
            assertThat(state("locks", "shop", "production").err()).contains("is locked");
            try (LockClient locks = LockClient.connect(shell.store())) {
                assertThat(locks.inspect().get(SHOP.lock()).isFree()).isTrue();
            }
        }

        @Test
        @DisplayName("reads standard input for -")
        void standardInput() {
            Result pushed = shell.runWith(Tfstate.of(3, "a", "b"), "state", "push", "shop", "production", "-");
            assertThat(pushed.code()).as(pushed.toString()).isZero();
            assertThat(pushed.out()).contains("Saved the state of stack 'shop' in 'production'", "serial 3");
        }

        @Test
        @DisplayName("refuses what is no state, and names the file, never its content")
        void noState() throws Exception {
            for (String wrong : List.of("", "s3cret", "[1]", "{\"serial\": 1, \"s3cret", "{} s3cret")) {
                Result result = state("push", "shop", "production", file(wrong).toString());
                assertThat(result.code()).as(wrong + result).isEqualTo(ExitCodes.USAGE);
                assertThat(result.err()).doesNotContain("s3cret");
            }
            Result missing = state(
                    "push", "shop", "production", directory.resolve("none").toString());
            assertThat(missing.code()).isEqualTo(ExitCodes.USAGE);
            assertThat(missing.err()).contains("There is no file");
            assertThat(state("push", "shop", "production", directory.toString()).code())
                    .isEqualTo(ExitCodes.USAGE);
        }
    }

    @Nested
    @DisplayName("restore")
    final class Restore {
        @Test
        @DisplayName("makes an earlier version current, with a new serial, and shows what changed without secrets")
        void restores() throws Exception {
            String first = push(Tfstate.of(7, "one", "s3cret-old"));
            push(Tfstate.of(9, "two", "s3cret-new"));
            Result restored = state("restore", "shop", "production", "--version", first, "--yes");
            assertThat(restored.code()).as(restored.toString()).isZero();
            assertThat(restored.out()).contains("Version " + first, "again", "serial 10");
            assertThat(restored.err()).contains("\"two\" -> \"one\"").doesNotContain("s3cret");
            Result now = shell.printed("state", "pull", "shop", "production");
            assertThat(now.out()).isEqualTo(Tfstate.of(10, "one", "s3cret-old"));
            Result back = state("restore", "shop", "production", "--at", "2999-01-01T00:00:00Z", "--yes", "-o", "json");
            assertThat(back.out()).contains("\"serial\":11");
        }

        @Test
        @DisplayName("goes back to the version that the history shows with this time")
        void asShown() throws Exception {
            String first = push(Tfstate.of(1, "one", "x"));
            String table = state("history", "shop", "production").out();
            java.util.regex.Matcher shown = java.util.regex.Pattern.compile("\\d{4}-\\d{2}-\\d{2}T[0-9:]{8}Z")
                    .matcher(table);
            assertThat(shown.find()).as(table).isTrue();
            Result restored = state("restore", "shop", "production", "--at", shown.group(), "--yes");
            assertThat(restored.out()).as(restored.toString()).contains("Version " + first);
            Result several =
                    state("restore", "shop", "production", "--at", shown.group().substring(0, 10), "--yes");
            assertThat(several.err()).contains("several versions", "--version");
        }

        @Test
        @DisplayName("without a terminal and --yes: shows what would change, does nothing, exit code 2")
        void noTerminal() throws Exception {
            String first = push(Tfstate.of(1, "one", "x"));
            push(Tfstate.of(2, "two", "x"));
            Result nobody = shell.runWith("yes\n", "state", "restore", "shop", "production", "--version", first);
            assertThat(nobody.code()).isEqualTo(ExitCodes.USAGE);
            assertThat(nobody.err()).contains("\"two\" -> \"one\"", "add --yes");
            assertThat(state("history", "shop", "production", "-o", "name")
                            .out()
                            .lines())
                    .hasSize(2);
        }

        @Test
        @DisplayName("asks on a terminal, and does nothing unless told yes")
        void asks() throws Exception {
            assumeTrue(Shell.hasTerminals(), "needs 'script' and /proc");
            String first = push(Tfstate.of(1, "one", "x"));
            push(Tfstate.of(2, "two", "x"));
            Result no = shell.terminal(
                    () -> "no\n", "(yes/no):", "state", "restore", "shop", "production", "--version", first);
            assertThat(no.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
            assertThat(no.out()).contains("Not confirmed");
            Result yes = shell.terminal(
                    () -> "yes\n", "(yes/no):", "state", "restore", "shop", "production", "--version", first);
            assertThat(yes.code()).as(yes.toString()).isZero();
            assertThat(state("show", "shop", "production").out()).containsPattern("Serial +3\n");
        }

        @Test
        @DisplayName("is busy while the stack is locked, knows no version that is none, and wants one named")
        void refuses() throws Exception {
            String first = push(Tfstate.of(1, "one", "x"));
            assertThat(state("restore", "shop", "production", "--version", "nonsense", "--yes")
                            .code())
                    .isEqualTo(ExitCodes.FAILURE);
            assertThat(state("restore", "shop", "production", "--at", "2001-01-01", "--yes")
                            .err())
                    .contains("There is no version 'at 2001");
            assertThat(state("restore", "shop", "production", "--yes").code()).isEqualTo(ExitCodes.USAGE);
            holdBy("anna");
            Result busy = state("restore", "shop", "production", "--version", first, "--yes");
            assertThat(busy.code()).isEqualTo(ExitCodes.BUSY);
            assertThat(busy.err()).contains("'anna'");
        }
    }

    @Nested
    @DisplayName("damage")
    final class Damaged {
        @Test
        @DisplayName("is found by verify and pull, which name the version and what heals it; restore heals")
        void heals() throws Exception {
            String good = push(Tfstate.of(1, "one", "x"));
            assertThat(state("verify", "shop", "production").out()).contains("are as they were saved");
            String bad = push(Tfstate.of(2, "two", "x"));
            damage();
            Result pull = state("pull", "shop", "production");
            assertThat(pull.code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(pull.err())
                    .contains(bad, "holdfast state restore shop production --version ")
                    .doesNotContain("rot");
            Result verify = state("verify", "shop", "production");
            assertThat(verify.code()).as(verify.toString()).isEqualTo(ExitCodes.CHECK_SAID_NO);
            assertThat(verify.out()).contains(bad, "current");
            assertThat(state("verify", "shop", "production", "-o", "json").out())
                    .contains("\"damaged\":[{\"version\":\"" + bad + "\",\"current\":true");
            Result restored = state("restore", "shop", "production", "--version", good, "--yes");
            assertThat(restored.code()).as(restored.toString()).isZero();
            assertThat(restored.err()).contains("is damaged");
            Result now = shell.printed("state", "pull", "shop", "production");
            assertThat(now.out()).isEqualTo(Tfstate.of(3, "one", "x"));
        }

        @Test
        @DisplayName("is not denied of a state that is not there: a mistyped name ends verify with 1")
        void noSuchState() throws Exception {
            push(Tfstate.of(1, "one", "x"));
            Result mistyped = state("verify", "shopp", "production");
            assertThat(mistyped.code()).isEqualTo(ExitCodes.FAILURE);
            assertThat(mistyped.err())
                    .contains("There is no state of stack 'shopp' in 'production'", "holdfast state ls");
            assertThat(mistyped.out()).isEmpty();
            assertThat(state("verify", "shop", "prod", "-o", "json").code()).isEqualTo(ExitCodes.FAILURE);
        }

        @Test
        @DisplayName("is looked for in the versions of a state that was deleted, and in one that has none yet")
        void withoutCurrentVersion() throws Exception {
            push(Tfstate.of(1, "one", "x"));
            try (StateManager states = StateManager.open(shell.store(), shell.store(), StateConfig.DEFAULT)) {
                states.delete(SHOP, Provenance.of("anna", "destroy"));
            }
            Result deleted = state("verify", "shop", "production");
            assertThat(deleted.code()).as(deleted.toString()).isZero();
            assertThat(deleted.out()).contains("1 document of stack 'shop'");

            try (DocumentStore documents = DocumentStores.open(shell.store())) {
                documents.write(Change.put(
                        "stacks/web/production/state.json",
                        Condition.absent(),
                        Tfstate.of(1, "one", "x").getBytes(StandardCharsets.UTF_8),
                        Map.of()));
            }
            Result foreign = state("verify", "web", "production");
            assertThat(foreign.code()).as(foreign.toString()).isZero();
            assertThat(foreign.out() + foreign.err()).contains("no checksum").doesNotContain("as they were saved");
        }

        /** The bytes rot, and what is known of them stays. */
        private void damage() {
            try (DocumentStore documents = DocumentStores.open(shell.store())) {
                String name = "stacks/shop/production/state.json";
                Document document = documents.get(name).orElseThrow();
                documents.write(Change.put(
                        name,
                        Condition.none(),
                        "{\"rot\": 1}".getBytes(StandardCharsets.UTF_8),
                        document.head().attributes()));
            }
        }

        @Test
        @DisplayName(
                "with a key nothing is stored in the clear; without it nothing is shown or replaced, and the key is named")
        void encrypted() throws Exception {
            Path key = directory.resolve("state.key");
            Files.writeString(key, "6f1c2b3a".repeat(2) + "0123456789abcdeffedcba9876543210a1b2c3d4e5f60718");
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            push(Tfstate.of(1, "one", "s3cret"), "--state-key", "file:" + key);
            try (DocumentStore documents = DocumentStores.open(shell.store())) {
                assertThat(new String(
                                documents
                                        .get("stacks/shop/production/state.json")
                                        .orElseThrow()
                                        .content(),
                                StandardCharsets.ISO_8859_1))
                        .startsWith("holdfast-sealed/1\n")
                        .doesNotContain("s3cret");
            }
            Map<String, String> keys = Map.of("HOLDFAST_STATE_ENCRYPTION_KEYS", "file:" + key);
            assertThat(shell.process("", keys, "state", "pull", "shop", "production")
                            .out())
                    .isEqualTo(Tfstate.of(1, "one", "s3cret"));
            assertThat(state("verify", "shop", "production", "--state-key", "file:" + key)
                            .code())
                    .isZero();
            Result blind = state("diff", "shop", "production");
            assertThat(blind.code()).isNotZero();
            Result pull = shell.printed("state", "pull", "shop", "production");
            assertThat(pull.code()).isNotZero();
            assertThat(pull.err()).contains("master key aes-", "--state-key").doesNotContain("\tat ");
            Result over = state(
                    "push",
                    "shop",
                    "production",
                    file(Tfstate.of(2, "two", "x")).toString(),
                    "--force");
            assertThat(over.code()).as(over.toString()).isNotZero();
            assertThat(over.err()).contains("master key aes-");
            assertThat(shell.printed("state", "pull", "shop", "production", "--state-key", "file:" + key)
                            .out())
                    .isEqualTo(Tfstate.of(1, "one", "s3cret"));
        }

        @Test
        @DisplayName("backup keeps a version under its name")
        void backup() throws Exception {
            String first = push(Tfstate.of(1, "one", "x"));
            Result kept = state("backup", "shop", "production");
            assertThat(kept.out()).contains(first, "is kept");
            try (DocumentStore documents = DocumentStores.open(shell.store())) {
                assertThat(documents.get("stacks/shop/production/backup/" + first + ".json"))
                        .isPresent();
            }
        }
    }

    @Nested
    @DisplayName("locks and unlock")
    final class Locks {
        @Test
        @DisplayName("list and end the locks of stacks; who is not stale is not ended without a word")
        void unlocks() {
            Abandoned.fourHoursAgo(shell.store(), SHOP.lock(), "github-actions-run-12345");
            shell.run("acquire", "stack:mail:env:test", "-N", "deploy", "--lease", "1h", "--owner", "bert");
            shell.run("acquire", "not-a-stack", "-N", "deploy", "--lease", "1h");
            Result all = state("locks");
            assertThat(all.out())
                    .containsPattern("mail +test +held +bert")
                    .containsPattern("shop +production +stale +github-actions-run-12345")
                    .doesNotContain("not-a-stack");
            assertThat(state("locks", "shop").out()).doesNotContain("bert");
            assertThat(state("locks", "--env", "test", "-o", "name").out()).isEqualTo("stack:mail:env:test\n");
            assertThat(state("locks", "-o", "json").out()).contains("\"name\":\"stack:mail:env:test\"");

            Result nobody = shell.runWith("", "state", "unlock", "mail", "test");
            assertThat(nobody.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
            assertThat(nobody.err()).contains("not stale");
            Result unlocked = state("unlock", "shop", "production", "--yes", "--reason", "runner is gone");
            assertThat(unlocked.code()).as(unlocked.toString()).isZero();
            assertThat(unlocked.out()).contains("was ended by force");
            assertThat(state("unlock", "shop", "production", "--yes").code()).isEqualTo(ExitCodes.NOT_HELD);
            assertThat(shell.run("history", SHOP.lock().name(), "-N", "deploy").out())
                    .contains("forced", "runner is gone");
            assertThat(state("unlock", "mail", "test", "--force", "--yes").code())
                    .as("a live holder is ended by a script only with a reason")
                    .isEqualTo(ExitCodes.NOT_CONFIRMED);
            Result forced = state("unlock", "mail", "test", "--force", "--reason", "bert is away");
            assertThat(forced.code()).as(forced.toString()).isZero();
        }

        @Test
        @DisplayName("ask on a terminal for the stack's name when its holder is not stale")
        void asks() {
            assumeTrue(Shell.hasTerminals(), "needs 'script' and /proc");
            holdBy("anna");
            Result no = shell.terminal(() -> "yes\n", "name of the stack:", "state", "unlock", "shop", "production");
            assertThat(no.code()).isEqualTo(ExitCodes.NOT_CONFIRMED);
            Result yes = shell.terminal(() -> "shop\n", "name of the stack:", "state", "unlock", "shop", "production");
            assertThat(yes.code()).as(yes.toString()).isZero();
        }
    }

    @Test
    @DisplayName("refuses names that could be those of another, too few, too many, and other namespaces")
    void badNames() {
        for (List<String> wrong : List.of(
                List.of("show"),
                List.of("show", "shop"),
                List.of("show", "shop", "production", "more"),
                List.of("show", "a:env:b", "c"),
                List.of("show", "../etc", "c"),
                List.of("show", "", "c"),
                List.of("show", "--stack", "shop"),
                List.of("show", "shop", "production", "--stack", "shop"),
                List.of("show", "shop", "production", "-N", "billing"),
                List.of("push", "shop", "production"),
                List.of("locks", "a", "b", "c"),
                List.of("history", "shop", "production", "--limit", "0"),
                List.of("ls", "--limit", "-1"),
                List.of("run", "shop", "production", "true"),
                List.of("run", "shop", "--", "true"),
                List.of("restore", "shop", "production", "--version", "a", "--at", "2h", "--yes"))) {
            Result result = state(wrong.toArray(String[]::new));
            assertThat(result.code()).as(wrong + " " + result).isEqualTo(ExitCodes.USAGE);
            assertThat(result.err()).as(wrong.toString()).isNotBlank();
        }
        assertThat(directory.resolve("locks.db")).doesNotExist();
    }

    @Test
    @DisplayName("keeps documents where --state-store says, and refuses that with a server")
    void stateStore() throws Exception {
        String elsewhere = "sqlite:" + directory.resolve("documents.db");
        push(Tfstate.of(1, "one", "x"), "--state-store", elsewhere);
        assertThat(state("ls", "-o", "name").out()).isEmpty();
        assertThat(state("ls", "-o", "name", "--state-store", elsewhere).out()).isEqualTo("shop/production\n");
        Result server = new Shell("http://127.0.0.1:9").run("state", "ls", "--state-store", elsewhere);
        assertThat(server.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(server.err()).contains("--state-store goes with --store");
        Result unknown = state("ls", "--state-store", "nonsense:x");
        assertThat(unknown.code()).isEqualTo(ExitCodes.USAGE);
        assertThat(unknown.err()).contains("nonsense:x", "--state-store");
    }
}
