package dev.holdfast.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The steps of deploy/github-action, run as the runner of GitHub runs them, against a real server. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("The action for GitHub")
class GithubActionTest {
    private static final Path ACTION = Path.of("../deploy/github-action").toAbsolutePath();
    private static final Pattern INPUT = Pattern.compile("\\$\\{\\{ inputs\\.([a-z0-9-]+) }}");

    @TempDir
    private static Path directory;

    private static CiMachine machine;
    private static Map<?, ?> action;

    @BeforeAll
    static void prepare() throws IOException {
        machine = CiMachine.in(directory);
        action = (Map<?, ?>)
                new Load(LoadSettings.builder().build()).loadFromString(Files.readString(ACTION.resolve("action.yml")));
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    // ---- as the runner does it

    private static List<?> steps() {
        return (List<?>) ((Map<?, ?>) action.get("runs")).get("steps");
    }

    private static Map<?, ?> step(String name) {
        return steps().stream()
                .map(step -> (Map<?, ?>) step)
                .filter(step -> step.get("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static String input(Map<String, String> given, String name) {
        Map<?, ?> declared = (Map<?, ?>) ((Map<?, ?>) action.get("inputs")).get(name);
        return given.getOrDefault(name, String.valueOf(declared.containsKey("default") ? declared.get("default") : ""));
    }

    private JavaProcess start(String stepName, Path job, Map<String, String> inputs) throws IOException {
        Map<?, ?> step = step(stepName);
        Map<String, String> variables = new HashMap<>(Map.of(
                "GITHUB_ACTION_PATH",
                ACTION.toString(),
                "GITHUB_ACTIONS",
                "true",
                "GITHUB_OUTPUT",
                job.resolve("output").toString(),
                "GITHUB_PATH",
                job.resolve("path").toString(),
                "GITHUB_ENV",
                job.resolve("env").toString(),
                "GITHUB_WORKFLOW",
                "Deploy",
                "GITHUB_REF_NAME",
                "main",
                "GITHUB_ACTOR",
                "alice",
                "GITHUB_REPOSITORY",
                "acme/shop",
                "RUNNER_TEMP",
                job.resolve("temp").toString()));
        variables.put("GITHUB_RUN_ID", "4711");
        variables.put("GITHUB_SERVER_URL", "https://github.example.com");
        Files.createDirectories(job.resolve("temp"));
        ((Map<?, ?>) step.get("env"))
                .forEach((name, value) -> variables.put(
                        (String) name,
                        INPUT.matcher((String) value)
                                .replaceAll(found -> Matcher.quoteReplacement(input(inputs, found.group(1))))));
        Path script = Files.writeString(Files.createTempFile(job, "step", ".sh"), (String) step.get("run"));
        assertThat(step.get("shell")).isEqualTo("bash");
        return machine.start(
                job, variables, "bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script.toString());
    }

    private JavaProcess lock(Path job, String mode, String lock, Map<String, String> more) throws IOException {
        Map<String, String> inputs = new HashMap<>(Map.of("mode", mode, "lock", lock, "server", machine.url()));
        inputs.putAll(more);
        return start("Lock", job, inputs);
    }

    private static String output(Path job, String name) throws IOException {
        return Files.readAllLines(job.resolve("output")).stream()
                .filter(line -> line.startsWith(name + "="))
                .map(line -> line.substring(name.length() + 1))
                .findFirst()
                .orElseThrow();
    }

    // ---- one command

    @Test
    @DisplayName("runs a command under the lock, tells its token, and ends with its exit code")
    void run() throws Exception {
        Path job = machine.job();
        JavaProcess step = lock(
                job,
                "run",
                "deploy:run",
                Map.of("command", "echo \"token $HOLDFAST_FENCING_TOKEN\"\nfalse | true\necho never"));

        assertThat(step.exit()).as(step::toString).isEqualTo(1);
        String token = output(job, "fencing-token");
        assertThat(step.output()).contains("token " + token).doesNotContain("never");
        assertThat(step.output()).contains("::add-mask::" + output(job, "lease-id"));
        assertThat(machine.past("deploy:run"))
                .contains(token, "Deploy, main, by alice", "/acme/shop/actions/runs/4711");
        assertThat(machine.isHeld("deploy:run")).isFalse();
    }

    @Test
    @DisplayName("when another has it and waiting is over, the command does not run, and the step says who")
    void busy() throws Exception {
        machine.take("deploy:busy");
        Path job = machine.job();
        JavaProcess step = lock(job, "run", "deploy:busy", Map.of("command", "touch ran", "wait", "0"));

        assertThat(step.exit()).as(step::toString).isEqualTo(ExitCodes.BUSY);
        assertThat(step.output()).contains("somebody");
        assertThat(job.resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("a cancelled step ends its command first, and the lock is free")
    void cancelled() throws Exception {
        Path job = machine.job();
        JavaProcess step = lock(
                job,
                "run",
                "deploy:cancel",
                Map.of("command", "trap 'echo cleaning; exit 9' INT; echo started; while :; do sleep 0.1; done"));
        step.awaitLine("started");
        assertThat(machine.isHeld("deploy:cancel")).isTrue();

        step.signal("INT"); // what GitHub sends first, to the first process of the step alone

        assertThat(step.exit()).as(step::toString).isEqualTo(9);
        assertThat(step.output()).contains("cleaning");
        assertThat(machine.isHeld("deploy:cancel")).isFalse();
    }

    // ---- several steps

    @Test
    @DisplayName("acquire holds and renews it for the steps that follow, until release")
    void severalSteps() throws Exception {
        Path job = machine.job();
        JavaProcess acquire = lock(job, "acquire", "deploy:steps/web", Map.of("lease", "3s"));
        assertThat(acquire.exit()).as(acquire::toString).isZero();
        assertThat(machine.holder("deploy:steps/web", "fencing_token")).isEqualTo(output(job, "fencing-token"));
        machine.awaitRenewal("deploy:steps/web");
        assertThat(job.resolve("env"))
                .hasContent("HOLDFAST_FENCING_TOKEN=" + output(job, "fencing-token") + "\nHOLDFAST_LEASE_ID="
                        + output(job, "lease-id"));

        JavaProcess again = lock(job, "acquire", "deploy:steps/web", Map.of());
        assertThat(again.exit()).as(again::toString).isEqualTo(ExitCodes.USAGE);
        assertThat(again.output()).contains("release it first");

        JavaProcess release = lock(job, "release", "deploy:steps/web", Map.of());
        assertThat(release.exit()).as(release::toString).isZero();
        assertThat(machine.isHeld("deploy:steps/web")).isFalse();
        assertThat(job.resolve("temp/holdfast")).isEmptyDirectory();
    }

    @Test
    @DisplayName("a lock that was lost meanwhile is told: the release fails with 76")
    void lost() throws Exception {
        Path job = machine.job();
        JavaProcess acquire = lock(job, "acquire", "deploy:lost", Map.of());
        assertThat(acquire.exit()).as(acquire::toString).isZero();

        machine.force("deploy:lost");

        JavaProcess release = lock(job, "release", "deploy:lost", Map.of());
        assertThat(release.exit()).as(release::toString).isEqualTo(ExitCodes.LOST);
        assertThat(release.output()).contains("deploy:lost was lost before it was released");
    }

    @Test
    @DisplayName(
            "cancelled while it waits, it says for whom, leaves the queue, and the step for always has nothing to do")
    void cancelledWhileWaiting() throws Exception {
        String lease = machine.take("deploy:queue");
        Path job = machine.job();
        JavaProcess acquire = lock(job, "acquire", "deploy:queue", Map.of());
        acquire.awaitLine("held by somebody");

        acquire.signal("INT");

        assertThat(acquire.exit()).as(acquire::toString).isEqualTo(143);
        machine.awaitNobodyWaits("deploy:queue");
        JavaProcess release = lock(job, "release", "deploy:queue", Map.of());
        assertThat(release.exit()).as(release::toString).isZero();
        assertThat(release.output()).contains("nothing to release");
        machine.giveBack("deploy:queue", lease);
    }

    @Test
    @DisplayName("a server that does not answer is told as such, never as busy or free")
    void unreachable() throws Exception {
        JavaProcess acquire =
                lock(machine.job(), "acquire", "deploy:away", Map.of("server", "http://127.0.0.1:9", "wait", "0"));
        assertThat(acquire.exit()).as(acquire::toString).isEqualTo(ExitCodes.UNREACHABLE);
    }

    @Test
    @DisplayName("what is missing is told in a sentence")
    void mistakes() throws Exception {
        assertMistake(lock(machine.job(), "run", "", Map.of("command", "true")), "'lock' is empty");
        assertMistake(lock(machine.job(), "run", "a", Map.of()), "'command' is empty");
        assertMistake(lock(machine.job(), "hold", "a", Map.of()), "'mode' is run, acquire or release, not 'hold'");
    }

    private static void assertMistake(JavaProcess step, String message) {
        assertThat(step.exit()).isEqualTo(ExitCodes.USAGE);
        assertThat(step.output()).contains(message);
    }

    // ---- its files

    @Test
    @DisplayName("installs an archive whose checksum is right, and no other")
    void installs() throws Exception {
        Path job = machine.job();
        Path unpacked = Files.createDirectories(job.resolve("holdfast-1/bin"));
        Files.writeString(unpacked.resolve("holdfast"), "#!/bin/sh\necho installed\n");
        assertThat(unpacked.resolve("holdfast").toFile().setExecutable(true)).isTrue();
        assertThat(machine.start(job, Map.of(), "tar", "-czf", "a.tar.gz", "holdfast-1")
                        .exit())
                .isZero();
        Path archive = job.resolve("a.tar.gz");
        String sum =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(archive)));
        Map<String, String> inputs = Map.of("archive", archive.toUri().toString(), "sha256", sum);

        JavaProcess install = start("Install holdfast", job, inputs);
        assertThat(install.exit()).as(install::toString).isZero();
        Path bin = Path.of(Files.readString(job.resolve("path")).strip());
        assertThat(bin.resolve("holdfast")).isExecutable();

        Path other = machine.job();
        JavaProcess wrong = start(
                "Install holdfast",
                other,
                Map.of("archive", archive.toUri().toString(), "sha256", "0".repeat(sum.length())));
        assertThat(wrong.exit()).as(wrong::toString).isNotZero();
        assertThat(other.resolve("path")).doesNotExist();
        JavaProcess none = start(
                "Install holdfast", other, Map.of("archive", archive.toUri().toString()));
        assertThat(none.exit()).as(none::toString).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("uses the inputs it declares, all of them, and its outputs are those of its step")
    void declared() throws IOException {
        String text = Files.readString(ACTION.resolve("action.yml"));
        Set<String> used = new TreeSet<>();
        Pattern.compile("inputs\\.([a-z0-9-]+)").matcher(text).results().forEach(found -> used.add(found.group(1)));
        assertThat(used).isEqualTo(new TreeSet<>(((Map<?, ?>) action.get("inputs")).keySet()));
        ((Map<?, ?>) action.get("outputs"))
                .forEach((name, value) -> assertThat(((Map<?, ?>) value).get("value"))
                        .isEqualTo("${{ steps." + step("Lock").get("id") + ".outputs." + name + " }}"));
        assertThat(steps())
                .allSatisfy(step -> assertThat(((Map<?, ?>) step).get("shell")).isEqualTo("bash"));
    }
}
