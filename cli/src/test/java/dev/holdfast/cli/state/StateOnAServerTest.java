package dev.holdfast.cli.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.LockClient;
import dev.holdfast.cli.LocalServer;
import dev.holdfast.cli.Shell;
import dev.holdfast.cli.Shell.Result;
import dev.holdfast.cli.Tfstate;
import dev.holdfast.cli.exec.ExecProcess;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.state.versions.Stack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("holdfast state, asking a server,")
final class StateOnAServerTest {
    private static final Path TERRAFORM = Path.of("/usr/local/bin/terraform");
    private static final Pattern VERSION = Pattern.compile("\\b\\d{8}T\\d{6}\\.\\d{6}Z-[a-z0-9]+\\b");

    @TempDir
    private Path directory;

    private List<List<String>> session() throws Exception {
        String one = file("one", Tfstate.of(1, "one", "s3cret"));
        String two = file("two", Tfstate.of(2, "two", "s3cret"));
        String foreign = file("foreign", Tfstate.of("another", 9, "two", "x"));
        String noState = file("nothing", "{\"serial\": ");
        List<String> shop = List.of("shop", "production");
        List<List<String>> session = new ArrayList<>(List.of(
                List.of("ls"),
                List.of("show"),
                List.of("pull"),
                List.of("history"),
                List.of("backup"),
                List.of("verify"),
                List.of("push", one),
                List.of("push", two),
                List.of("push", one),
                List.of("push", foreign),
                List.of("push", noState),
                List.of("ls"),
                List.of("ls", "-o", "json"),
                List.of("show"),
                List.of("show", "-o", "yaml"),
                List.of("history"),
                List.of("history", "-o", "json"),
                List.of("diff"),
                List.of("diff", "-o", "json"),
                List.of("diff", "--from", "nonsense"),
                List.of("backup"),
                List.of("verify"),
                List.of("verify", "-o", "json"),
                List.of("restore", "--at", "2999-01-01", "--yes"),
                List.of("restore", "--version", "nonsense", "--yes"),
                List.of("locks"),
                List.of("unlock", "--yes")));
        session.add(
                List.of("acquire", "stack:shop:env:production", "-N", "deploy", "--lease", "1h", "--owner", "anna"));
        session.add(List.of("push", "--force", two));
        session.add(List.of("restore", "--at", "2999-01-01", "--yes"));
        session.add(List.of("locks"));
        session.add(List.of("ls", "-o", "json"));
        session.add(List.of("unlock", "--yes", "--reason", "gone"));
        return session.stream()
                .map(words -> words.get(0).equals("acquire") ? words : state(words, shop))
                .toList();
    }

    private static List<String> state(List<String> words, List<String> stack) {
        List<String> all = new ArrayList<>(List.of("state", words.get(0)));
        all.addAll(stack);
        all.addAll(words.subList(1, words.size()));
        return all;
    }

    private String file(String name, String content) throws Exception {
        return Files.writeString(directory.resolve(name), content).toString();
    }

    @Test
    @DisplayName("prints and answers the same as on a store")
    void sameOutput() throws Exception {
        List<List<String>> session = session();
        Shell store = Shell.on(directory);
        LockClient.connect(store.store()).close(); // a file that is not there is remarked upon
        List<String> onStore = said(store, session);
        try (LocalServer server = LocalServer.start(directory)) {
            List<String> onServer = said(new Shell(server.url()), session);
            for (int i = 0; i < onStore.size(); i++) {
                assertThat(onServer.get(i)).as("%s", session.get(i)).isEqualTo(onStore.get(i));
            }
        }
    }

    private static List<String> said(Shell shell, List<List<String>> session) {
        Map<String, String> versions = new HashMap<>();
        List<String> said = new ArrayList<>();
        for (List<String> command : session) {
            said.add(plain(shell.run(command.toArray(String[]::new)), shell, versions));
        }
        return said;
    }

    /** Without what differs from one run to the next: times, tokens, ids, and who is logged in. */
    private static String plain(Result result, Shell shell, Map<String, String> versions) {
        String text = result.code() + "\n" + result.out() + "\n" + result.err();
        Matcher version = VERSION.matcher(text);
        String named =
                version.replaceAll(found -> versions.computeIfAbsent(found.group(), it -> "VERSION" + versions.size()));
        return named.replaceAll("--(store|server) " + Pattern.quote(shell.store()), "TARGET")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("\\b\\d{16}\\b", "TOKEN")
                .replaceAll("token-\\d+", "TOKEN")
                .replaceAll("\\b[0-9a-f]{32}\\b", "LEASE")
                .replaceAll("\\b(\\d+h)?(\\d+m)?\\d+(ms|s)\\b", "AGE")
                .replaceAll("(anonymous|[a-z0-9.-]+@[A-Za-z0-9.-]+)", "")
                .replaceAll(" +", " ");
    }

    @Test
    @DisplayName(
            "run: terraform applies twice under the lock of the run; other saves are refused meanwhile, its own not")
    void terraform() throws Exception {
        assumeTrue(Files.isExecutable(TERRAFORM), "there is no terraform");
        Path work = Files.createDirectory(directory.resolve("work"));
        Files.writeString(work.resolve("main.tf"), """
                terraform {
                  backend "http" {}
                }
                variable "note" {
                  type = string
                }
                resource "terraform_data" "web" {
                  input = var.note
                }
                """);
        String script = "set -e; terraform init -input=false -no-color > init.log; "
                + "terraform apply -auto-approve -input=false -no-color -var note=one > one.log; touch applied; "
                + "while [ ! -e go ]; do sleep 0.05; done; "
                + "terraform apply -auto-approve -input=false -no-color -var note=two > two.log";
        try (LocalServer server = LocalServer.start(directory)) {
            String url = server.url();
            Shell shell = new Shell(url);
            List<String> command = ExecProcess.command();
            command.remove(command.size() - 1);
            command.addAll(List.of("state", "run", "--owner", "ci-7", "shop", "production", "--", "sh", "-c", script));
            try (ExecProcess run = ExecProcess.run(url, work, command)) {
                run.until("terraform has applied", () -> Files.exists(work.resolve("applied")));
                Stack stack = new Stack("shop", "production");
                try (LockClient locks = LockClient.connect(url)) {
                    var holder = locks.inspect().get(stack.lock()).holders().get(0);
                    assertThat(holder.owner()).isEqualTo("ci-7");
                    assertThat(holder.expiresAt())
                            .as("it ends by itself if the run dies")
                            .isPresent();
                    assertThat(holder.metadata())
                            .as("its lease id is not shown")
                            .doesNotContainKey("ID");
                }
                Result push =
                        shell.run("state", "push", "--force", "shop", "production", file("x", Tfstate.of(9, "a", "b")));
                assertThat(push.code()).as(push.toString()).isEqualTo(ExitCodes.BUSY);
                Files.createFile(work.resolve("go"));
                assertThat(run.exit()).as(run::toString).isZero();
            }
            Result history = shell.run("state", "history", "shop", "production", "-o", "json");
            String token = history.after("fencing_token\"");
            assertThat(history.out().split("\"fencing_token\":" + token, -1)).hasSizeGreaterThanOrEqualTo(3);
            assertThat(history.out()).contains("\"by\":\"ci-7\"", "\"lock_id\":null");
            assertThat(shell.run("state", "diff", "shop", "production").out()).contains("\"one\" -> \"two\"");
            assertThat(shell.run("state", "locks").err()).contains("No stack is locked");
        }
    }
}
