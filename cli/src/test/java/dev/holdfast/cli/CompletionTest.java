package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The scripts, run by the shells they are for. */
class CompletionTest {
    private static final long LIMIT_SECONDS = 120;

    @TempDir
    private Path directory;

    private String store = "";

    /** A command about a lock, as others will be. */
    @Command(name = "peek", description = "Looks at a lock.")
    static final class Peek {
        @Mixin
        Target target = new Target();

        @Option(names = {"-o", "--output"})
        CompletionCommand.Shell output = CompletionCommand.Shell.bash;

        @Option(names = "--report", paramLabel = "FILE")
        String report = "";

        @Parameters(index = "0", paramLabel = "KEY")
        String key = "";
    }

    @BeforeEach
    void program() throws Exception {
        store = "sqlite:" + directory.resolve("locks.db");
        try (LockClient locks = LockClient.connect(store)) {
            for (String name : List.of("invoice-run", "invoice-mail", "stack:web:env:prod", "with space")) {
                locks.acquire(LockKey.of("default", name), o -> {}).close();
            }
            locks.acquire(LockKey.of("billing", "monthly"), o -> {}).close();
        }
        Path program = directory.resolve("holdfast");
        String words = ProgramClasses.words().stream().map(NextSteps::quoted).collect(Collectors.joining(" "));
        Files.writeString(
                program,
                "#!/bin/sh\n"
                        // A person at a prompt does not wait as long as this test may have to.
                        + "[ \"$1\" != __complete ] || { shift; set -- __complete --within 60s \"$@\"; }\n"
                        + "exec " + words + " \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        for (CompletionCommand.Shell shell : CompletionCommand.Shell.values()) {
            CommandLine all = Main.commandLine().addSubcommand(Peek.class);
            Files.writeString(directory.resolve("script." + shell), CompletionCommand.script(shell, all));
        }
    }

    /** What the shell prints for this script of its own. */
    private List<String> shell(String name, String... script) throws Exception {
        Path found = Path.of("/usr/bin", name);
        Path other = Path.of("/bin", name);
        Assumptions.assumeTrue(Files.exists(found) || Files.exists(other), "there is no " + name + " here");
        ProcessBuilder builder =
                new ProcessBuilder(name, "-c", String.join("\n", script)).directory(directory.toFile());
        builder.environment().put("PATH", directory + ":" + System.getenv("PATH"));
        builder.environment().put("HOME", directory.toString());
        builder.environment().keySet().removeIf(it -> it.startsWith("HOLDFAST_") || it.equals("XDG_CONFIG_HOME"));
        Path out = directory.resolve("out.txt");
        Process process = builder.redirectOutput(out.toFile())
                .redirectError(directory.resolve("err.txt").toFile())
                .start();
        assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(directory.resolve("err.txt")).content().isEmpty();
        return Files.readAllLines(out, StandardCharsets.UTF_8);
    }

    @Nested
    @DisplayName("bash")
    class Bash {
        private List<String> complete(String line) throws Exception {
            return shell(
                    "bash",
                    "source script.bash",
                    "COMP_LINE='" + line + "' COMP_POINT=" + line.length(),
                    "COMP_WORDBREAKS=$' \\t\\n\"><=;|&(:'",
                    "_holdfast",
                    "printf '%s\\n' \"${COMPREPLY[@]}\"");
        }

        @Test
        @DisplayName("completes commands, subcommands, options, and the words an option takes")
        void words() throws Exception {
            assertThat(complete("holdfast "))
                    .contains("serve", "doctor", "peek")
                    .doesNotContain("__complete", "rehearse");
            assertThat(complete("holdfast doc")).containsExactly("doctor");
            assertThat(complete("holdfast schema ")).containsExactly("print", "migrate", "drop");
            assertThat(complete("holdfast schema print --d")).containsExactly("--drop");
            assertThat(complete("holdfast peek -o ")).containsExactly("bash", "zsh", "fish");
            assertThat(complete("holdfast peek --report loc")).contains("locks.db");
            assertThat(complete("holdfast serve --locks.max-l")).containsExactly("--locks.max-lease=");
            assertThat(complete("holdfast exec x -- tru")).contains("true");
        }

        @Test
        @DisplayName("completes names of locks by asking the store that was named, also with colons and blanks")
        void names() throws Exception {
            assertThat(complete("holdfast peek --store " + store + " inv"))
                    .containsExactly("invoice-mail", "invoice-run");
            assertThat(complete("holdfast peek --store=" + store + " default:stack:web:e"))
                    .containsExactly("env:prod");
            assertThat(complete("holdfast peek --store=" + store + " bil")).containsExactly("billing:monthly");
            assertThat(complete("holdfast peek --store=" + store + " billing:m"))
                    .containsExactly("monthly");
            assertThat(complete("holdfast peek --store " + store + " wi")).containsExactly("with\\ space");
            assertThat(complete("holdfast peek -N billing --store " + store + " "))
                    .containsExactly("monthly");
            assertThat(complete("holdfast peek --store " + store + " one ")).containsExactly("");
        }

        @Test
        @DisplayName("completes names of contexts, and the names of locks where a context says; after help, commands")
        void contexts() throws Exception {
            Path file = Files.createDirectories(directory.resolve(".config/holdfast"))
                    .resolve("config.yaml");
            Files.writeString(
                    file,
                    "contexts:\n  here: {store: '" + store + "', namespace: billing}\n  prod: {server: 'http://x'}\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            assertThat(complete("holdfast peek --context ")).containsExactly("here", "prod");
            assertThat(complete("holdfast context use p")).containsExactly("prod");
            assertThat(complete("holdfast context ")).containsExactly("ls", "use", "show", "set", "rm");
            assertThat(complete("holdfast --context here peek ")).containsExactly("monthly");
            assertThat(complete("holdfast help doc")).containsExactly("doctor");
        }

        @Test
        @DisplayName("is silent when nobody answers, and makes no store")
        void silent() throws Exception {
            assertThat(complete("holdfast peek --store sqlite:none.db x")).containsExactly("");
            assertThat(complete("holdfast peek --server http://127.0.0.1:1 x")).containsExactly("");
            assertThat(directory.resolve("none.db")).doesNotExist();
        }
    }

    @Test
    @DisplayName("zsh completes the same")
    void zsh() throws Exception {
        // The completion of zsh runs only at a prompt; here its words are given, and what it would add is printed.
        String[] base = {
            "compdef() { : }", "compadd() { shift; print -l -- \"$@\" }", "source ./script.zsh",
        };
        assertThat(shell("zsh", base[0], base[1], base[2], "words=(holdfast ''); CURRENT=2; _holdfast"))
                .contains("serve", "peek")
                .doesNotContain("__complete");
        assertThat(shell("zsh", base[0], base[1], base[2], "words=(holdfast peek -o ''); CURRENT=4; _holdfast"))
                .containsExactly("bash", "zsh", "fish");
        assertThat(shell(
                        "zsh",
                        base[0],
                        base[1],
                        base[2],
                        "words=(holdfast peek --store " + store + " st); CURRENT=5; _holdfast"))
                .containsExactly("default:stack:web:env:prod");
    }

    @Test
    @DisplayName("fish completes the same")
    void fish() throws Exception {
        String source = "source script.fish";
        assertThat(shell("fish", source, "complete -C 'holdfast '")).anyMatch(line -> line.startsWith("doctor\t"));
        assertThat(shell("fish", source, "complete -C 'holdfast schema p'"))
                .singleElement()
                .asString()
                .startsWith("print\t");
        assertThat(shell("fish", source, "complete -C 'holdfast peek --store " + store + " inv'"))
                .containsExactly("invoice-mail", "invoice-run");
    }

    @Test
    @DisplayName("the command prints each script, and refuses other shells")
    void command() throws IOException {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        assertThat(line.execute("completion", "bash")).isZero();
        assertThat(out.toString()).contains("complete -F _holdfast holdfast").doesNotContain("@TABLE@");
        assertThat(line.execute("completion", "tcsh")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("tcsh", "bash");
    }
}
