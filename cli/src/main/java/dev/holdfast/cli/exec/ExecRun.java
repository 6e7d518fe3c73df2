package dev.holdfast.cli.exec;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.FailureMessage;
import dev.holdfast.cli.text.FailureReport;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
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

    /** A lock that is lost again and again has a cause that running again does not cure. */
    private static final int MOST_RUNS = 6;

    /** How long a store that is away is waited for before running again, if nobody says. */
    private static final Duration AGAIN_WITHIN = Duration.ofMinutes(10);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final ExecPlan plan;
    private final PrintWriter err;
    private final SignalRelay signals;
    private final ExecReport report;
    private Optional<LostReason> lost = Optional.empty();

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
            for (int runs = 1; mayRunAgain(code) && runs < MOST_RUNS; runs++) {
                say("taking " + KeyText.of(plan.key()) + " again, to run the command again");
                report.again();
                code = runAgain(client);
            }
            return code;
        } catch (RuntimeException e) {
            report.waited();
            code = FailureReport.code(e) == ExitCodes.OK ? ExitCodes.FAILURE : FailureReport.code(e);
            throw e; // told by the one place that tells of failures
        } finally {
            write(code);
        }
    }

    /** An operator who ended the hold by force, and whoever sent a signal, wanted the command to end. */
    private boolean mayRunAgain(int code) {
        return code == ExitCodes.LOST
                && plan.loss().again()
                && !lost.equals(Optional.of(LostReason.FORCED))
                && signals.mayStartAgain();
    }

    /** What took the lock away may still be there: a store that is not back yet is waited for. */
    private int runAgain(LockClient client) throws InterruptedException {
        long start = System.nanoTime();
        long within = plan.patience().orElse(AGAIN_WITHIN).toNanos();
        while (true) {
            try {
                return run(client);
            } catch (StoreUnavailableException | OutcomeUnknownException e) {
                if (System.nanoTime() - start > within || signals.early().isPresent()) {
                    err.println("holdfast: " + KeyText.of(plan.key()) + " could not be taken again: "
                            + Screen.clean(String.valueOf(e.getMessage())));
                    return stillLost();
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
            }
        }
    }

    /** The command ran, and was stopped: that it was not run again changes nothing about it. */
    private int stillLost() {
        lost.ifPresent(report::lost);
        return ExitCodes.LOST;
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
            return finish(child.get(), lease, variables);
        } catch (ChildProcess.NotStarted e) {
            release(lease);
            report.outcome(ExecReport.Outcome.NOT_STARTED);
            err.println("holdfast: " + FailureMessage.of(String.valueOf(e.getMessage())));
            return e.exitCode();
        }
    }

    private int finish(ChildProcess child, Lease lease, Map<String, Optional<String>> variables)
            throws InterruptedException {
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
            err.println("holdfast: the lease of " + KeyText.of(plan.key()) + " was lost (" + spoken(reason)
                    + ") before the command had ended: another command may have run at the same time");
            afterLoss(lease, reason, variables);
            return ExitCodes.LOST;
        }
        if (stopped.isPresent()) {
            report.lost(stopped.get());
            err.println("holdfast: the command was stopped, and ended before its lease");
            afterLoss(lease, stopped.get(), variables);
            return ExitCodes.LOST;
        }
        return child.exitCode();
    }

    private void afterLoss(Lease lease, LostReason reason, Map<String, Optional<String>> variables)
            throws InterruptedException {
        lost = Optional.of(reason);
        if (plan.loss().command().isPresent()) {
            LossCommand command = new LossCommand(plan.loss().command().get(), err);
            command.run(lease, reason, variables, signals);
        }
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
        err.println("holdfast: " + KeyText.of(plan.key()) + " could not be released and ends by itself"
                + lease.expiresAt().map(end -> " at " + end).orElse("") + ": " + why);
    }

    private int interrupted() {
        report.outcome(ExecReport.Outcome.INTERRUPTED);
        Signals signal = signals.early().orElse(Signals.INT);
        say("told to end (" + signal + ") before " + KeyText.of(plan.key()) + " was free; the command was not run");
        return signal.exitCode();
    }

    private int busy(Attempt.Busy<Lease> busy) {
        Optional<Holder> holder = busy.holders().stream().findFirst();
        holder.ifPresent(first -> report.heldBy(first.owner()));
        String who = holder.map(first ->
                        "held by " + first.owner() + (first.reason().isEmpty() ? "" : " (" + first.reason() + ")"))
                .orElse("wanted by " + busy.waiting() + " others who came first");
        String fact = KeyText.of(plan.key()) + " is " + who;
        if (lost.isPresent()) {
            say(fact + "; the command was not run again");
            return stillLost();
        }
        if (plan.busyCode().isEmpty()) {
            report.outcome(ExecReport.Outcome.SKIPPED);
            say(fact + "; the command was skipped");
            return ExitCodes.OK;
        }
        report.outcome(ExecReport.Outcome.BUSY);
        say(fact + "; the command was not run. Wait longer with --wait 10m, or look: holdfast explain "
                + KeyText.of(plan.key().record()));
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
