package dev.holdfast.cli.exec;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureReport;
import dev.holdfast.model.LostReason;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * One {@code exec} from the first request to the release: takes the lock, runs the command, gives the lock back, and says by
 * its exit code what came of it. It returns only when the command has ended.
 */
public final class ExecRun {
    /** A release is tried at least this long: the store may only be slow. */
    private static final Duration MIN_RELEASE = Duration.ofSeconds(2);

    private final ExecPlan plan;
    private final PrintWriter err;
    private final SignalRelay signals;
    private final ExecReport report;
    /** What is to be done when the lock is held, before the command runs: gives variables for it; an empty one is taken away. */
    private final Function<Lease, Map<String, Optional<String>>> prelude;

    /** With what is done before the command runs; if that fails, the lock is given back. */
    public ExecRun(
            ExecPlan plan,
            Function<Lease, Map<String, Optional<String>>> prelude,
            SignalRelay signals,
            PrintWriter err) {
        this.plan = plan;
        this.prelude = prelude;
        this.signals = signals;
        this.err = err;
        this.report = new ExecReport(plan.key(), plan.owner());
    }

    /** Does it on this client, which is closed; the exit code. */
    public int on(Supplier<LockClient> locks) throws InterruptedException {
        int code = ExitCodes.FAILURE;
        try (LockClient client = locks.get()) {
            code = run(client);
            return code;
        } catch (RuntimeException e) {
            report.waited();
            code = FailureReport.code(e) == ExitCodes.OK ? ExitCodes.FAILURE : FailureReport.code(e);
            throw e; // told by the one place that tells of failures
        } finally {
            write(code);
        }
    }

    private int run(LockClient client) throws InterruptedException {
        Optional<Attempt<Lease>> attempt = new LockWait(client, plan.wanted(), signals::whileWaiting, err).get();
        report.waited();
        if (attempt.isEmpty()) {
            return interrupted();
        }
        if (attempt.get() instanceof Attempt.Busy<Lease> busy) {
            return busy(busy);
        }
        Lease lease = attempt.get().orThrow();
        report.granted(lease);
        Map<String, Optional<String>> variables;
        try {
            variables = prelude.apply(lease);
        } catch (RuntimeException e) {
            release(lease);
            throw e;
        }
        try {
            Optional<ChildProcess> child = signals.start(() -> ChildProcess.start(plan.command(), lease, variables));
            if (child.isEmpty()) {
                release(lease);
                return interrupted();
            }
            report.started();
            return finish(child.get(), lease);
        } catch (ChildProcess.NotStarted e) {
            release(lease);
            report.outcome(ExecReport.Outcome.NOT_STARTED);
            err.println("holdfast: " + e.getMessage());
            return e.exitCode();
        }
    }

    private int finish(ChildProcess child, Lease lease) throws InterruptedException {
        ChildWatch watch = new ChildWatch(child, lease, plan.rule(), err);
        signals.whileRunning(watch::killNow);
        Optional<LostReason> stopped;
        try {
            stopped = watch.untilEnded();
        } catch (RuntimeException e) {
            child.tree().look();
            child.tree().kill(); // a defect: nobody would stop it before the lease ends
            throw e;
        }
        report.ended();
        report.outcome(ExecReport.Outcome.ENDED);
        Optional<LostReason> gone = goneBefore(lease);
        Optional<LostReason> released = release(lease);
        if (gone.or(() -> released).isPresent()) {
            LostReason reason = gone.or(() -> released).get();
            report.lost(reason);
            err.println("holdfast: the lease of " + plan.key() + " was lost (" + spoken(reason)
                    + ") before the command had ended: another may have run at the same time");
            return ExitCodes.LOST;
        }
        if (stopped.isPresent()) {
            report.lost(stopped.get());
            err.println("holdfast: the command was stopped, and ended before its lease");
            return ExitCodes.LOST;
        }
        return child.exitCode();
    }

    static String spoken(LostReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private static Optional<LostReason> goneBefore(Lease lease) {
        return lease.lostFor().or(() -> lease.isValid() ? Optional.empty() : Optional.of(LostReason.PAUSED));
    }

    /** Gives the lock back; why that was not ours to do, if the store says so. A store that is away changes nothing. */
    private Optional<LostReason> release(Lease lease) throws InterruptedException {
        boolean trusted = lease.isValid();
        Duration left = lease.remaining(); // after that it ends by itself, and nobody need wait for this
        Duration patience = left.compareTo(MIN_RELEASE) > 0 ? left : MIN_RELEASE;
        CompletableFuture<Boolean> released = lease.releaseAsync().toCompletableFuture();
        try {
            boolean held = released.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return held || !trusted
                    ? Optional.empty()
                    : Optional.of(lease.lostFor().orElse(LostReason.UNKNOWN));
        } catch (TimeoutException e) {
            unreleased(lease, "no answer within " + Ages.of(patience));
        } catch (ExecutionException e) {
            unreleased(lease, "" + Optional.ofNullable(e.getCause()).orElse(e).getMessage());
        }
        return Optional.empty();
    }

    private void unreleased(Lease lease, String why) {
        err.println("holdfast: " + plan.key() + " could not be released and ends by itself"
                + lease.expiresAt().map(end -> " at " + end).orElse("") + ": " + why);
    }

    private int interrupted() {
        report.outcome(ExecReport.Outcome.INTERRUPTED);
        Signals signal = signals.early().orElse(Signals.INT);
        say("told to end (" + signal + ") before " + plan.key() + " was free; the command was not run");
        return signal.exitCode();
    }

    private int busy(Attempt.Busy<Lease> busy) {
        Optional<Holder> holder = busy.holders().stream().findFirst();
        holder.ifPresent(first -> report.heldBy(first.owner()));
        String who = holder.map(first ->
                        "held by " + first.owner() + (first.reason().isEmpty() ? "" : " (" + first.reason() + ")"))
                .orElse("wanted by " + busy.waiting() + " others who came first");
        String fact = plan.key() + " is " + who;
        if (plan.busyCode().isEmpty()) {
            report.outcome(ExecReport.Outcome.SKIPPED);
            say(fact + "; the command was skipped");
            return ExitCodes.OK;
        }
        report.outcome(ExecReport.Outcome.BUSY);
        say(fact + "; the command was not run. Wait longer with --wait 10m, or look: holdfast explain -N "
                + plan.key().namespace() + " " + plan.key().name());
        return plan.busyCode().get();
    }

    private void say(String text) {
        if (!plan.quiet()) {
            err.println("holdfast: " + text);
        }
    }

    private void write(int code) {
        plan.report().ifPresent(file -> {
            try {
                report.write(file, code);
            } catch (IOException e) {
                err.println("holdfast: the report cannot be written to '" + file + "': " + e);
            }
        });
    }
}
