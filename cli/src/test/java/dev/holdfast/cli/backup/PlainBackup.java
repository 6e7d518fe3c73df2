package dev.holdfast.cli.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.Main;
import dev.holdfast.cli.Tfstate;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;

/** What is put into a server before a backup, how it is looked for after a restore, and the tools of others. */
abstract class PlainBackup {
    private static final Pattern MAJOR = Pattern.compile("\\(PostgreSQL\\) (\\d+)");

    @TempDir
    Path directory;

    private StringWriter out = new StringWriter();
    private StringWriter err = new StringWriter();

    final int run(String... args) {
        out = new StringWriter();
        err = new StringWriter();
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    /** The same for what must work; gives back what it prints. */
    final String done(String... args) {
        assertThat(run(args)).as("%s: %s%s", String.join(" ", args), out, err).isZero();
        return out.toString();
    }

    /** Locks, state and an app, through a server. */
    final void fill(String server) throws IOException {
        Path apps = Files.writeString(
                directory.resolve("apps.yaml"),
                "apps:\n  shop: {url: 'http://127.0.0.1:9/', databases: [{type: postgres, host: DB1}]}\n");
        done("acquire", "--server", server, "nightly", "--lease", "1h");
        save(server, 1);
        done("guard", "apps", "import", "--server", server, apps.toString());
    }

    final void save(String server, long serial) throws IOException {
        Path state = Files.writeString(directory.resolve("state.json"), Tfstate.of(serial, "value", "s3cret"));
        done("state", "push", "--server", server, "shop", "production", state.toString());
    }

    /** All of it is there, and tokens grow on. */
    final void has(String server, long before) {
        assertThat(done("get", "--server", server, "nightly", "-o", "json"))
                .contains("\"holders\":[{")
                .contains(Long.toString(before));
        done("state", "verify", "--server", server, "shop", "production");
        assertThat(done("guard", "apps", "--server", server)).contains("shop");
        assertThat(acquire(server, "other")).isGreaterThan(before);
    }

    /** Takes a lock for an hour; its token. */
    final long acquire(String server, String lock) {
        return token(done("acquire", "--server", server, lock, "--lease", "1h", "-o", "json"));
    }

    /** The token of whoever holds. */
    final long held(String server, String lock) {
        return token(done("get", "--server", server, lock, "-o", "json"));
    }

    private static long token(String json) {
        return Long.parseLong(json.replaceAll("(?s).*\"fencing_token\":\\s*(\\d+).*", "$1"));
    }

    // ---- tools of others

    static void canRunServers() {
        Assumptions.assumeTrue(
                System.getProperty("os.name").equals("Linux")
                        && System.getProperty("os.arch").equals("amd64"),
                "the server of these tests is for Linux on amd64");
    }

    static String program(String name) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            Path file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return Assumptions.abort("there is no program '" + name + "' here");
    }

    /** The major version of a tool of PostgreSQL. */
    final int version(String tool) throws IOException, InterruptedException {
        String said = tool(List.of(tool, "--version"));
        Matcher found = MAJOR.matcher(said);
        assertThat(found.find()).as(said).isTrue();
        return Integer.parseInt(found.group(1));
    }

    final String tool(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "said", ".txt");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said);
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }
}
