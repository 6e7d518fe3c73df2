package dev.holdfast.cli.exec;

import dev.holdfast.ClientConfig;
import dev.holdfast.LockClient;
import dev.holdfast.cli.connect.AmbiguousWordCheck;
import dev.holdfast.cli.connect.OtherNamespaceHint;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code holdfast exec}: runs a command while a lock is held, and stops it before the lock is another's. */
@Command(
        name = "exec",
        header = "Run a command while a lock is held.",
        description = {
            "Waits for the lock, runs the command, and releases the lock when the command ends, however it ends."
                    + " Until then nobody else gets the lock.",
            "",
            "The command runs without a shell, on this terminal. Its environment has HOLDFAST_KEY,"
                    + " HOLDFAST_NAMESPACE, HOLDFAST_PATH, HOLDFAST_FENCING_TOKEN and HOLDFAST_LEASE_ID. Holdfast"
                    + " commands in it use the same server or store and the same namespace, unless they are told otherwise.",
            "",
            "The lock is renewed while the command runs. If that fails for too long, the command and all"
                    + " processes it started get TERM, and KILL after --kill-after, all before the lease ends. With the"
                    + " usual 30s and 10s, renewals may fail for 8s before that happens.",
            "",
            "TERM, HUP and INT are passed on to the command. A second INT kills it with all its processes."
        },
        footer = {
            "holdfast exec nightly-report -- ./report.sh",
            "holdfast exec --wait 10m deploy-web -- ./deploy.sh",
            "holdfast exec --skip-if-held --min-hold 1m cleanup -- /usr/local/bin/cleanup",
            "holdfast exec billing:invoices/eu -c 'fetch | load'",
            "holdfast exec --store sqlite:/var/lib/locks.db nightly -- ./report.sh"
        },
        customSynopsis = "holdfast exec [OPTIONS] KEY -- COMMAND [ARGUMENT...]",
        exitCodeList = {
            "any:The exit code of the command; 128+n if signal n ended it.",
            "1:Something else did not work; the reason is on standard error.",
            "2:The command line or a setting is wrong. The command did not run.",
            "4:The server does not recognise you, or does not allow this.",
            "69:The server or store cannot be reached. The command did not run.",
            "75:Somebody else held the lock, and it was not free in time; see -E. The command did not run.",
            "76:The lock was lost while the command ran, and the command was stopped.",
            "126:The command cannot be run.",
            "127:There is no such command."
        })
public final class ExecCommand extends PlainCommand {
    @Mixin
    private Target target;

    @Parameters(index = "0", paramLabel = "KEY", description = "The lock: [NAMESPACE:]NAME[/PATH].")
    private String key;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "COMMAND", description = "What to run, after --.")
    private List<String> command = List.of();

    @Option(
            names = {"-c", "--command"},
            paramLabel = "TEXT",
            description = "Run this with sh -c, instead of a COMMAND after --.")
    private Optional<String> shell = Optional.empty();

    @Option(names = "--path", paramLabel = "PATH", description = "Only this part of the lock, such as web/api.")
    private Optional<String> path = Optional.empty();

    @Mixin
    private ExecOptions run;

    @Mixin
    private SharingOptions sharing;

    @Option(
            names = "--lease",
            paramLabel = "DUR",
            description = "How soon the lock is free if this process dies (default ${DEFAULT-VALUE}).",
            defaultValue = "30s")
    private Duration lease = Duration.ofSeconds(30);

    @Option(
            names = "--min-hold",
            paramLabel = "DUR",
            description = "Keep the lock at least this long, even if the command ends sooner.")
    private Duration minHold = Duration.ZERO;

    @Option(
            names = "--retry-lost",
            description =
                    "If the lock is lost, take it again and run the command again, up to 5 times; not if an operator"
                            + " ended the hold by force. Only for work that may be done twice.")
    private boolean retryLost;

    @Option(
            names = "--on-lost",
            paramLabel = "TEXT",
            description =
                    "If the lock is lost, run this with sh -c once the command has ended, for at most 30s. It gets"
                            + " HOLDFAST_LOST_REASON in addition to the variables of the command.")
    private Optional<String> onLost = Optional.empty();

    @Option(
            names = {"-E", "--conflict-exit-code"},
            paramLabel = "CODE",
            description = "Exit code when the lock was not free in time (default " + ExitCodes.BUSY + ").")
    private Optional<Integer> busyCode = Optional.empty();

    @Option(
            names = "--skip-if-held",
            description =
                    "If somebody else has the lock, do nothing and exit with 0. Does not wait, unless --wait is given.")
    private boolean skipIfHeld;

    @Option(names = "--report", paramLabel = "FILE", description = "Write what happened to this file, as JSON.")
    private Optional<Path> report = Optional.empty();

    @Mixin
    private final HolderOptions holder = new HolderOptions();

    @Override
    public Integer call() throws InterruptedException {
        ExecPlan plan = plan();
        SignalRelay signals = new SignalRelay();
        Signals.catchAll(signals::received);
        ClientConfig config =
                ClientConfig.DEFAULT.withNamespace(plan.key().namespace()).withOwner(plan.owner());
        return new ExecRun(plan, lease -> target.connection().variables(), signals, err())
                .on(() -> open(plan.key(), config));
    }

    private LockClient open(LockKey meant, ClientConfig config) {
        LockClient locks = target.openPatiently(config);
        try {
            AmbiguousWordCheck.check(locks, target, key, meant);
            if (isHeldAround(meant)) {
                err().println("holdfast: this runs under " + KeyText.of(meant.record())
                        + " already; it may wait for itself");
            }
            if (!run.isQuiet() && target.isAnywhere(key)) {
                OtherNamespaceHint.hint(locks.inspect(), meant, key).ifPresent(it -> err().println("holdfast: " + it));
            }
            return locks;
        } catch (RuntimeException e) {
            locks.close();
            throw e;
        }
    }

    /** Whether another {@code exec} started this process under a lock that keeps this one waiting. */
    private static boolean isHeldAround(LockKey key) {
        return Target.set(ChildProcess.LEASE_ID).isPresent()
                && Target.set("HOLDFAST_NAMESPACE").equals(Optional.of(key.namespace()))
                && Target.set("HOLDFAST_KEY").equals(Optional.of(key.name()))
                && LockPath.of(Target.set("HOLDFAST_PATH").orElse("")).overlaps(key.path());
    }

    private List<String> words() {
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        if (shell.isPresent()) {
            refuse(!command.isEmpty(), "-c already gives the command. Leave out what follows the lock");
            return List.of("sh", "-c", shell.get());
        }
        refuse(
                command.isEmpty(),
                "Say what to run while the lock is held. Example: holdfast exec " + key + " -- ./nightly-report");
        refuse(
                !all.contains("--"),
                "Put -- between the lock and the command, so that its options are not taken for options of holdfast."
                        + " Example: "
                        + NextSteps.separated(all, key, command.get(0)));
        return command;
    }

    private ExecPlan plan() throws InterruptedException {
        List<String> words = words();
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
        SharingOptions shared = sharing.checked();
        return new ExecPlan(
                lock,
                words,
                run.patience(skipIfHeld ? Optional.of(Duration.ZERO) : Optional.empty()),
                run.rule(lease),
                new ExecPlan.Loss(onLost, retryLost),
                options -> shared.apply(options.minHold(minHold)),
                holder.owner(target),
                // Of a line for the shell nothing is sure to be no secret.
                holder.reason().orElseGet(() -> shell.isPresent() ? "sh -c" : ExecPlan.programName(words)),
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
