package dev.holdfast.ci;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
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

/** The scripts of deploy/gitlab, run as the runner of GitLab runs them, against a real server. */
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("The components for GitLab")
class GitlabComponentTest {
    private static final Path TEMPLATES = Path.of("../deploy/gitlab/templates");
    private static final Pattern INPUT = Pattern.compile("\\$\\[\\[ inputs\\.([a-z-]+) ]]");
    private static final Pattern VARIABLE = Pattern.compile("\\$([A-Z_]+)");

    @TempDir
    private static Path directory;

    private static CiMachine machine;

    @BeforeAll
    static void prepare() throws IOException {
        machine = CiMachine.in(directory);
    }

    @AfterAll
    static void end() {
        machine.close();
    }

    /** A component that was included: its job, and where it runs. */
    private record Job(Map<?, ?> text, Path place, Map<String, String> variables) {
        /** Lists within lists are one, as with anchors. */
        private static List<String> lines(Object script) {
            List<String> lines = new ArrayList<>();
            if (script instanceof List<?> list) {
                list.forEach(one -> lines.addAll(lines(one)));
            } else {
                lines.add((String) script);
            }
            return lines;
        }

        private JavaProcess start(String shell, List<String> lines) throws IOException {
            Path script = Files.writeString(
                    Files.createTempFile(place, "script", ".sh"), "set -e\n" + String.join("\n", lines) + "\n");
            return machine.start(place, variables, shell, script.toString());
        }

        /** What comes before, and the script, are run by one shell. */
        JavaProcess script(String shell, String... own) throws IOException {
            List<String> lines = new ArrayList<>();
            if (text.containsKey("before_script")) {
                lines.addAll(lines(text.get("before_script")));
            }
            lines.addAll(text.containsKey("script") ? lines(text.get("script")) : List.of(own));
            return start(shell, lines);
        }

        /** And what comes after by another. */
        JavaProcess after(String shell) throws IOException {
            return start(shell, lines(text.get("after_script")));
        }
    }

    private static Job included(String template, Map<String, String> inputs) throws IOException {
        Map<?, ?> spec = (Map<?, ?>) ((Map<?, ?>) parts(template).get(0).get("spec")).get("inputs");
        String body = INPUT.matcher(Files.readString(TEMPLATES.resolve(template)))
                .replaceAll(found -> Matcher.quoteReplacement(value(spec, inputs, found.group(1))));
        Map<?, ?> job =
                (Map<?, ?>) documents(body).get(1).get(value(spec, inputs, spec.containsKey("job") ? "job" : "name"));
        Path place = machine.job();
        Map<String, String> variables = new HashMap<>(Map.of(
                "CI", "true",
                "GITLAB_CI", "true",
                "CI_PROJECT_DIR", Files.createDirectories(place.resolve("shop")).toString(),
                "CI_JOB_ID", "17",
                "CI_JOB_URL", "https://gitlab.example.com/jobs/17",
                "CI_COMMIT_REF_NAME", "main",
                "GITLAB_USER_LOGIN", "alice"));
        Map<String, String> given = Map.copyOf(variables);
        ((Map<?, ?>) job.get("variables"))
                .forEach((name, value) -> variables.put(
                        (String) name,
                        value instanceof Map<?, ?> raw
                                ? (String) raw.get("value")
                                : VARIABLE.matcher((String) value)
                                        .replaceAll(found -> Matcher.quoteReplacement(given.get(found.group(1))))));
        return new Job(job, place, variables);
    }

    private static String value(Map<?, ?> spec, Map<String, String> inputs, String name) {
        Map<?, ?> declared = (Map<?, ?>) spec.get(name);
        String value = inputs.getOrDefault(name, (String) declared.get("default"));
        assertThat(value).as(name).isNotNull();
        return value;
    }

    private static List<Map<?, ?>> parts(String template) throws IOException {
        return documents(Files.readString(TEMPLATES.resolve(template)));
    }

    private static List<Map<?, ?>> documents(String text) {
        List<Map<?, ?>> all = new ArrayList<>();
        new Load(LoadSettings.builder().build())
                .loadAllFromString(text)
                .forEach(document -> all.add((Map<?, ?>) document));
        return all;
    }

    private static Job exec(String lock, String command, String wait) throws IOException {
        return included(
                "exec.yml",
                Map.of("lock", lock, "command", command, "server", machine.url(), "image", "example", "wait", wait));
    }

    private static Job hold(String lock) throws IOException {
        return included("hold.yml", Map.of("lock", lock, "server", machine.url(), "lease", "3s"));
    }

    @Test
    @DisplayName(
            "exec runs a command under the lock, with variables expanded by its shell, and ends with its exit code")
    void exec() throws Exception {
        Job job = exec("deploy:exec", "echo \"token $HOLDFAST_FENCING_TOKEN\"; exit 7", "1m");
        JavaProcess script = job.script("bash");

        assertThat(script.exit()).as(script::toString).isEqualTo(7);
        assertThat(script.output()).containsPattern("token \\d+");
        assertThat(machine.past("deploy:exec")).contains("main by alice", "https://gitlab.example.com/jobs/17");
        assertThat(machine.isHeld("deploy:exec")).isFalse();
    }

    @Test
    @DisplayName(
            "exec does not run the command when another has the lock, and ends with 75, on which a job can be retried")
    void busy() throws Exception {
        machine.take("deploy:busy");
        Job job = exec("deploy:busy", "touch ran", "0");

        assertThat(job.script("sh").exit()).isEqualTo(ExitCodes.BUSY);
        assertThat(job.place().resolve("ran")).doesNotExist();
    }

    @Test
    @DisplayName("a cancelled job sends TERM to all its processes: the command ends, then the lock is free")
    void cancelled() throws Exception {
        Job job = exec(
                "deploy:cancel",
                "trap 'echo cleaning; exit 9' TERM; echo started; while :; do sleep 0.1 || :; done",
                "1m");
        JavaProcess script = job.script("sh");
        script.awaitLine("started");

        terminate(script);

        script.exit();
        assertThat(script.output()).contains("cleaning");
        assertThat(machine.isHeld("deploy:cancel")).isFalse();
    }

    /** As the runner does in a container: all of them, the youngest first. */
    private static void terminate(JavaProcess script) {
        ProcessHandle.of(script.pid()).stream()
                .flatMap(ProcessHandle::descendants)
                .sorted((one, other) -> Long.compare(other.pid(), one.pid()))
                .forEach(ProcessHandle::destroy);
    }

    @Test
    @DisplayName("hold: the lock is held and renewed while the script runs, and released after it")
    void holds() throws Exception {
        Job job = hold("deploy:hold");
        JavaProcess script = job.script("sh", "echo \"token $HOLDFAST_FENCING_TOKEN $HOLDFAST_LEASE_ID\"", "exit 7");

        assertThat(script.exit()).as(script::toString).isEqualTo(7);
        assertThat(script.output())
                .containsPattern("token " + machine.holder("deploy:hold", "fencing_token") + " \\S+");
        machine.awaitRenewal("deploy:hold");

        JavaProcess after = job.after("sh");
        assertThat(after.exit()).as(after::toString).isZero();
        assertThat(machine.isHeld("deploy:hold")).isFalse();
    }

    @Test
    @DisplayName("hold: the lock of a cancelled job is held until its after_script, when the work has ended")
    void holdCancelled() throws Exception {
        Job job = hold("deploy:stop");
        JavaProcess script = job.script(
                "bash",
                "trap 'echo cleaning; sleep 4; echo cleaned; exit 1' TERM",
                "echo started",
                "while :; do sleep 0.1 || :; done");
        script.awaitLine("started");
        terminate(script);
        ProcessHandle.of(script.pid()).ifPresent(ProcessHandle::destroy);
        script.awaitLine("cleaning");

        script.awaitLine("cleaned");
        assertThat(machine.isHeld("deploy:stop")).isTrue();

        script.exit();
        assertThat(job.after("bash").exit()).isZero();
        assertThat(machine.isHeld("deploy:stop")).isFalse();
    }

    @Test
    @DisplayName("hold: if the lock is lost, the script is ended, and it is told after it")
    void holdLost() throws Exception {
        Job job = hold("deploy:lost");
        JavaProcess script = job.script("sh", "echo started", "sleep 300");
        script.awaitLine("started");
        machine.force("deploy:lost");
        assertThat(script.exit()).as(script::toString).isNotZero();

        JavaProcess after = job.after("sh");
        assertThat(after.exit()).as(after::toString).isEqualTo(ExitCodes.LOST);
        assertThat(after.output()).contains("lost before it was released");
    }

    @Test
    @DisplayName("each uses the inputs it declares, and all of them; the functions are those of the action")
    void declared() throws IOException {
        for (String template : List.of("exec.yml", "hold.yml")) {
            Set<String> used = new TreeSet<>();
            INPUT.matcher(Files.readString(TEMPLATES.resolve(template)))
                    .results()
                    .forEach(found -> used.add(found.group(1)));
            Map<?, ?> spec = (Map<?, ?>) ((Map<?, ?>) parts(template).get(0).get("spec")).get("inputs");
            assertThat(used).as(template).isEqualTo(new TreeSet<>(spec.keySet()));
        }
        String functions = Files.readString(Path.of("../deploy/github-action/hold.sh"));
        assertThat(Job.lines(parts("hold.yml").get(1).get(".holdfast-functions")))
                .containsExactly(functions);
        assertThat(Path.of("../deploy/jenkins/resources/dev/holdfast/hold.sh")).hasContent(functions);
    }
}
