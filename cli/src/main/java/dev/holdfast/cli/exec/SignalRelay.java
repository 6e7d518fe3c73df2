package dev.holdfast.cli.exec;

import java.util.Optional;

/**
 * What a signal means, depending on how far {@code exec} has come: before the child runs it ends the waiting, while the
 * child runs it is the child's, afterwards it is too late. The first thing that decides wins: no child starts after a signal.
 *
 * <p>Safe for any thread.
 */
public final class SignalRelay {
    private Optional<Signals> early = Optional.empty();
    private Optional<ChildProcess> child = Optional.empty();
    private Runnable onEarly = () -> {};
    private Runnable onSecondInterrupt = () -> {};
    private int interrupts;
    private boolean told;

    interface ProcessStart {
        ChildProcess run() throws ChildProcess.NotStarted;
    }

    synchronized Optional<Signals> early() {
        return early;
    }

    /** The child has ended, and another thing is done: signals end that. */
    synchronized void childEnded() {
        child = Optional.empty();
    }

    /** Whether another child may be started: no signal came, which would be obeyed. */
    synchronized boolean mayStartAgain() {
        childEnded();
        return !told;
    }

    /** Calls this when a signal ends the waiting, also if it has already. */
    void whileWaiting(Runnable giveUp) {
        synchronized (this) {
            onEarly = giveUp;
            if (early.isEmpty()) {
                return;
            }
        }
        giveUp.run();
    }

    /** Starts the child, unless a signal came before; from now on signals are the child's. */
    synchronized Optional<ChildProcess> start(ProcessStart start) throws ChildProcess.NotStarted {
        if (early.isEmpty()) {
            child = Optional.of(start.run());
        }
        return child;
    }

    /** Calls this when the user insists, also if that was before. */
    void whileRunning(Runnable killAll) {
        synchronized (this) {
            onSecondInterrupt = killAll;
            if (interrupts < 2) {
                return;
            }
        }
        killAll.run();
    }

    public void received(Signals signal) {
        Runnable then;
        synchronized (this) {
            told = true;
            if (signal == Signals.INT) {
                interrupts++;
            }
            then = meaning(signal);
        }
        then.run();
    }

    private Runnable meaning(Signals signal) {
        boolean insists = signal == Signals.INT && interrupts > 1;
        if (child.isPresent()) {
            ChildProcess running = child.get();
            return insists ? onSecondInterrupt : () -> running.pass(signal);
        }
        if (insists) {
            return () -> Runtime.getRuntime().halt(signal.exitCode()); // nothing runs yet; a grant ends by itself
        }
        early = early.or(() -> Optional.of(signal));
        return onEarly;
    }
}
