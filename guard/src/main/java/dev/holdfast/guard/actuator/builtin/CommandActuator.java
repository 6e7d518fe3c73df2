package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.ReadBack;
import dev.holdfast.guard.actuator.StopOrStart;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs a program to stop, another to start, and a third to see what came of it. The programs get the fencing token as {@code
 * HOLDFAST_FENCING_TOKEN} and may refuse it: exit code 3 with {@code newer_token=N} in what they write. The actuator itself
 * refuses a token older than one it has seen, when it is called and again just before it runs the program. The program is run
 * also when there is nothing to do: only so does it learn the token.
 *
 * <p>The status program says {@code running}, {@code stopping}, {@code stopped} or {@code starting} as its first word; otherwise
 * exit code 0 means running and 3 stopped, as {@code systemctl is-active} and {@code pg_ctl status} do.
 */
final class CommandActuator extends BoundedActuator {
    private static final Pattern NEWER = Pattern.compile("newer_token=([0-9]{1,18})");
    private static final int STALE = 3;
    private static final int STOPPED = 3;

    /** What a program needs to find itself and its home; nothing of this server's own secrets. */
    private static final List<String> PASSED =
            List.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT");

    private final CommandLine stop;
    private final CommandLine start;
    private final CommandLine status;
    private final ReadBack settling;
    private final Map<String, String> environment = new HashMap<>();
    private final List<TokenGate> gates = new ArrayList<>(List.of(new TokenMemory()));

    CommandActuator(String name, ActuatorSettings settings, Map<String, String> ours) {
        super(name);
        stop = CommandLine.of(settings, "stop", "the program that stops the resource, and its arguments");
        start = CommandLine.of(settings, "start", "the program that starts the resource, and its arguments");
        status = CommandLine.of(
                settings, "status", "the program that tells whether the resource runs, and its arguments");
        settling = ReadBack.from(settings, Duration.ofSeconds(1), Duration.ofSeconds(10));
        settings.optional("token_dir").map(Path::of).map(TokenFiles::new).ifPresent(gates::add);
        List<String> passed = new ArrayList<>(PASSED);
        settings.optional("pass_env").ifPresent(names -> passed.addAll(List.of(names.split("[,\\s]+"))));
        passed.stream().filter(ours::containsKey).forEach(key -> environment.put(key, ours.get(key)));
        environment.putAll(settings.below("env."));
    }

    @Override
    protected ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) throws ActFailure {
        Optional<ActResult> stale = refusal(target);
        if (stale.isPresent()) {
            return stale.get();
        }
        List<String> words = (aim == StopOrStart.STOP ? stop : start).filled(target, aim.verb());
        ResourceState before = look(target, deadline);
        if (target.dryRun()) {
            return new ActResult.Done(before, "dry run: would run " + words.get(0) + " to " + aim.verb());
        }
        // Looking took its time; whoever came meanwhile with a newer token goes first.
        stale = refusal(target);
        if (stale.isPresent()) {
            return stale.get();
        }
        // Also when it is so already: the program must learn the token, to refuse older ones from now on.
        ProcessRun.Outcome outcome = ProcessRun.of(words, environment(target, aim.verb()), deadline);
        int code = code(outcome, words, target);
        return code == 0
                ? settling.readBack(aim, "'" + target.dbIdentifier() + "'", () -> look(target, deadline), deadline)
                : refused(code, outcome, words, aim.reached(before) ? look(target, deadline) : before, aim);
    }

    private Optional<ActResult> refusal(ActTarget target) throws ActFailure {
        for (TokenGate gate : gates) {
            Optional<ActResult> stale = gate.refusal(target);
            if (stale.isPresent()) {
                return stale;
            }
        }
        return Optional.empty();
    }

    private static ActResult refused(
            int code, ProcessRun.Outcome outcome, List<String> words, ResourceState now, StopOrStart aim) {
        Matcher newer = NEWER.matcher(outcome.output());
        if (code == STALE && newer.find()) {
            return new ActResult.Stale(Long.parseLong(newer.group(1)));
        }
        String what = words.get(0) + " ended with exit code " + code + said(outcome);
        // pg_ctl and others call it an error to start what runs.
        return aim.reached(now)
                ? new ActResult.Done(now, "it was in that state already; " + what)
                : new ActResult.Failed(what);
    }

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) throws ActFailure {
        List<String> words = status.filled(target, "status");
        ProcessRun.Outcome outcome = ProcessRun.of(words, environment(target, "status"), deadline);
        int code = code(outcome, words, target);
        Optional<ResourceState> said = ResourceState.of(outcome.output().strip().split("\\s+", 2)[0]);
        if (said.isPresent()) {
            return said.get();
        }
        if (code == 0 || code == STOPPED) {
            return code == 0 ? ResourceState.RUNNING : ResourceState.STOPPED;
        }
        throw new ActFailure("the status command " + words.get(0) + " ended with exit code " + code
                + ", which says nothing about the state: 0 means running, 3 stopped" + said(outcome));
    }

    private static int code(ProcessRun.Outcome outcome, List<String> words, ActTarget target) throws ActFailure {
        return outcome.code()
                .orElseThrow(() -> new ActFailure(words.get(0) + " did not end within the time limit of "
                        + target.timeout().toMillis() + " ms and was killed with all it had started" + said(outcome)
                        + "; look at the resource's state"));
    }

    private static String said(ProcessRun.Outcome outcome) {
        String output = outcome.output().strip();
        return output.isEmpty() ? "" : " and wrote: " + output;
    }

    private Map<String, String> environment(ActTarget target, String action) {
        Map<String, String> all = new HashMap<>(environment);
        all.put("HOLDFAST_FENCING_TOKEN", Long.toString(target.fencingToken()));
        all.put("HOLDFAST_DB_IDENTIFIER", target.dbIdentifier());
        all.put("HOLDFAST_DB_TYPES", String.join(",", target.types()));
        all.put("HOLDFAST_ACTION", action);
        all.put("HOLDFAST_REASON", target.reason());
        return all;
    }
}
