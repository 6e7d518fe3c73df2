package dev.holdfast.cli.exec;

import dev.holdfast.ClientConfig;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.model.LockKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code holdfast exec}: runs a command while a lock is held, and stops it before the lock is another's. */
@Command(
        name = "exec",
        description = "Runs a command while a lock is held.",
        customSynopsis = "holdfast exec [OPTIONS] KEY -- COMMAND [ARGUMENT...]",
        mixinStandardHelpOptions = true,
        footerHeading = "%n",
        footer = {
            "The command runs without a shell, with this terminal, and finds HOLDFAST_KEY, HOLDFAST_NAMESPACE,"
                    + " HOLDFAST_PATH, HOLDFAST_FENCING_TOKEN and HOLDFAST_LEASE_ID in its environment.",
            "",
            "The lock is renewed while the command runs. If that fails for too long, the command and all processes it"
                    + " started get TERM, and KILL after --kill-after, all before the lease ends. With the usual 30s and"
                    + " 10s, renewals may fail for 8s before that happens.",
            "",
            "TERM, HUP and INT are passed on to the command; a second INT kills it with all its processes.",
            "",
            "Exit code: the command's own (128+n if signal n ended it), 75 if the lock was busy (see -E), 76 if it was"
                    + " lost meanwhile, 126 or 127 if the command cannot be run, 69 if the store cannot be reached,"
                    + " 2 for a wrong use.",
            "",
            "Example: holdfast exec --skip-if-held --store sqlite:/var/lib/locks.db nightly -- /usr/local/bin/report"
        })
public final class ExecCommand implements Callable<Integer> {
    @Mixin
    private Target target;

    @Parameters(index = "0", paramLabel = "KEY", description = "Name of the lock.")
    private String key;

    @Parameters(index = "1..*", arity = "1..*", paramLabel = "COMMAND", description = "What to run, after --.")
    private List<String> command;

    @Option(names = "--path", paramLabel = "PATH", description = "Only this part of the lock, such as web/api.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private RunOptions run;

    @Mixin
    private SharingOptions sharing;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description = "How soon the lock is free if this process dies. Default ${DEFAULT-VALUE}.",
            defaultValue = "30s")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            description = "Exit code when the lock was not free in time. Default " + ExitCodes.BUSY + ".")
    private Optional<Integer> busyCode = Optional.empty();

    @Option(
            names = "--skip-if-held",
            description = "If another has the lock, do nothing and exit 0. Does not wait, unless --wait says so.")
    private boolean skipIfHeld;

    @Option(names = "--report", paramLabel = "FILE", description = "Write what happened to this file, as JSON.")
    private Optional<Path> report = Optional.empty();

    @Option(names = "--owner", paramLabel = "NAME", description = "Who is shown as the holder.")
    private Optional<String> owner = Optional.empty();

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for whoever looks.")
    private Optional<String> reason = Optional.empty();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        ExecPlan plan = plan();
        SignalRelay signals = new SignalRelay();
        Signals.catchAll(signals::received);
        ClientConfig config =
                ClientConfig.DEFAULT.withNamespace(plan.key().namespace()).withOwner(plan.owner());
        return new ExecRun(plan, lease -> Map.of(), signals, spec.commandLine().getErr())
                .on(() -> target.openPatiently(config));
    }

    private ExecPlan plan() {
        refuse(
                !spec.commandLine().getParseResult().originalArgs().contains("--"),
                "Put -- between the lock and the command, so that its options are not taken for ours."
                        + " Example: holdfast exec " + key + " -- " + String.join(" ", command));
        refuse(
                skipIfHeld && busyCode.isPresent(),
                "--skip-if-held ends with 0 when the lock is busy, and -E with another code. Leave one of them out");
        refuse(
                busyCode.isPresent() && (busyCode.get() < 0 || busyCode.get() > 255),
                "-E must be between 0 and 255, was " + busyCode.orElse(0));
        report.ifPresent(file -> {
            Path directory =
                    Optional.ofNullable(file.toAbsolutePath().getParent()).orElse(file);
            refuse(
                    Files.isDirectory(file) || !Files.isDirectory(directory),
                    "--report '" + file + "' cannot be written: name a file in a directory that exists");
        });
        LockKey lock = target.key(key, path);
        return new ExecPlan(
                lock,
                command,
                run.patience(skipIfHeld ? Optional.of(Duration.ZERO) : Optional.empty()),
                run.rule(lease),
                sharing.checked()::apply,
                owner.orElse(ClientConfig.DEFAULT.owner()),
                reason.orElse(""),
                run.metadata(),
                skipIfHeld ? Optional.empty() : Optional.of(busyCode.orElse(ExitCodes.BUSY)),
                report,
                run.isQuiet());
    }

    private static void refuse(boolean wrong, String why) {
        if (wrong) {
            throw new IllegalArgumentException(why);
        }
    }
}
