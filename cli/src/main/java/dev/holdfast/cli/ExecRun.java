package dev.holdfast.cli;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One {@code exec} from the first request to the release: takes the lock, runs the command, gives the lock back, and says by
 * its exit code what came of it. It returns only when the command has ended.
 */
final class ExecRun {
    private final ExecPlan plan;
    private final PrintWriter err;
    private final SignalRelay signals;
    private final ExecReport report;

    ExecRun(ExecPlan plan, SignalRelay signals, PrintWriter err) {
        this.plan = plan;
        this.signals = signals;
        this.err = err;
        this.report = new ExecReport(plan.key(), plan.owner());
    }

    /** Does it on this client, which is closed; the exit code. */
    int on(Supplier<LockClient> locks) throws InterruptedException {
        int code = ExitCodes.FAILURE;
        try (LockClient client = locks.get()) {
            code = run(client);
            return code;
        } catch (RuntimeException e) {
            report.waited();
            code = Excuses.code(e) == ExitCodes.OK ? ExitCodes.FAILURE : Excuses.code(e);
            throw e; // told by the one place that tells of failures
        } finally {
            write(code);
        }
    }

    private int run(LockClient client) throws InterruptedException {
        Optional<Attempt<Lease>> attempt = new LockWait(client, plan, signals, err).get();
        report.waited();
        if (attempt.isEmpty()) {
            return interrupted();
        }
        if (attempt.get() instanceof Attempt.Busy<Lease> busy) {
            return busy(busy);
        }
        Lease lease = attempt.get().orThrow(plan.key());
        report.granted(lease);
        try {
            Optional<ChildProcess> child = signals.start(() -> ChildProcess.start(plan.command(), lease));
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
        Optional<LostReason> lost = stopped.or(() -> goneBefore(lease));
        Optional<LostReason> released = release(lease);
        lost = lost.or(() -> released);
        if (lost.isEmpty()) {
            return child.exitCode();
        }
        report.lost(lost.get());
        err.println("holdfast: the lease of " + plan.key() + " was lost (" + lost.get()
                + ") before the command had ended: another may have run at the same time");
        return ExitCodes.LOST;
    }

    private static Optional<LostReason> goneBefore(Lease lease) {
        return lease.lostFor().or(() -> lease.isValid() ? Optional.empty() : Optional.of(LostReason.PAUSED));
    }

    /** Gives the lock back; why that was not ours to do, if the store says so. A store that is away changes nothing. */
    private Optional<LostReason> release(Lease lease) {
        boolean trusted = lease.isValid();
        try {
            boolean held = lease.release();
            return held || !trusted ? Optional.empty() : Optional.of(lease.lostFor().orElse(LostReason.UNKNOWN));
        } catch (StoreException | IllegalStateException e) {
            err.println("holdfast: " + plan.key() + " could not be released and ends by itself"
                    + lease.expiresAt().map(end -> " at " + end).orElse("") + ": " + e.getMessage());
            return Optional.empty();
        }
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
        String who = holder.map(first -> "held by " + first.owner()
                        + (first.reason().isEmpty() ? "" : " (" + first.reason() + ")"))
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
