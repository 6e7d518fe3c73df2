package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.guard.Guard;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Asks about stopping or starting what an app uses, and prints what was decided about each database. */
abstract class StopStartCommand extends GuardOperation {
    @Parameters(index = "0", paramLabel = "APP", description = "Name of the app.")
    private String app = "";

    @Option(
            names = "--explain",
            description = "Also show what was seen of every app, and why it leads to the decision.")
    private boolean explain;

    abstract GuardAnswer ask(Guard guard, String app) throws InterruptedException;

    /** Whether this is what was asked for. */
    abstract boolean isDone(GuardOutcome outcome);

    @Override
    final int ask(Guard guard) throws InterruptedException {
        GuardAnswer answer = ask(guard, app);
        new GuardText(output).print(answer, isDry(), explain, this::isShown);
        if (output.isTable() && !isDry()) {
            output.out().flush();
            answer.decisions().forEach(it -> whatFollows(app, it).ifPresent(output::say));
        }
        return answer.decisions().stream().allMatch(it -> isDone(it.outcome()))
                ? ExitCodes.OK
                : ExitCodes.CHECK_SAID_NO;
    }

    /** What happens next, if this decision leaves something to be done. */
    Optional<String> whatFollows(String app, GuardDecision decision) {
        return Optional.empty();
    }

    /** Whether {@code -o name} prints the database of this decision. */
    boolean isShown(GuardDecision decision) {
        return true;
    }

    @Command(
            name = "check",
            header = "Tell whether what an app uses would be stopped now.",
            description = "As if the app had been stopped. Changes nothing.",
            footer = "holdfast guard check shop --explain",
            exitCodeList = {
                Codes.USUAL,
                "0:Everything it uses would be stopped.",
                "6:Something it uses would not be stopped now."
            })
    static final class Check extends StopStartCommand {
        @Override
        GuardAnswer ask(Guard guard, String app) throws InterruptedException {
            return guard.checkStop(app);
        }

        @Override
        boolean isDry() {
            return true;
        }

        @Override
        boolean isDone(GuardOutcome outcome) {
            return outcome == GuardOutcome.STOPPED;
        }

        @Override
        boolean isShown(GuardDecision decision) {
            return isDone(decision.outcome());
        }
    }

    /** One that does something, unless told not to. */
    private abstract static class ActingCommand extends StopStartCommand {
        @Option(names = "--dry-run", description = "Only show what would be decided.")
        private boolean dryRun;

        @Override
        final boolean isDry() {
            return dryRun;
        }
    }

    @Command(
            name = "stop",
            header = "Say that an app is down, and stop what nobody needs.",
            description =
                    "The app itself is not stopped. What cannot be stopped now is stopped later, by the servers on this"
                            + " store.",
            footer = {"holdfast guard stop shop", "holdfast guard stop shop --dry-run --explain"},
            exitCodeList = {Codes.USUAL, "0:The stop is stored; the decisions say what became of it so far."})
    static final class Stop extends ActingCommand {
        @Override
        GuardAnswer ask(Guard guard, String app) throws InterruptedException {
            return isDry() ? guard.checkStop(app) : guard.stop(app);
        }

        @Override
        Optional<String> whatFollows(String app, GuardDecision decision) {
            return WhatFollows.afterStop(app, decision);
        }

        /** What must not be stopped now is stopped later: that it was judged is enough. */
        @Override
        boolean isDone(GuardOutcome outcome) {
            return true;
        }
    }

    @Command(
            name = "start",
            header = "Start what an app is about to need.",
            description =
                    "From then on it is not stopped while the app needs it. Start the app when this says 'started'.",
            footer = "holdfast guard start shop && systemctl start shop",
            exitCodeList = {Codes.USUAL, "0:Everything it uses runs.", "6:Something it uses does not run yet."})
    static final class Start extends ActingCommand {
        @Override
        GuardAnswer ask(Guard guard, String app) throws InterruptedException {
            return isDry() ? guard.checkStart(app) : guard.start(app);
        }

        @Override
        Optional<String> whatFollows(String app, GuardDecision decision) {
            return WhatFollows.afterStart(decision);
        }

        @Override
        boolean isDone(GuardOutcome outcome) {
            return outcome == GuardOutcome.STARTED;
        }
    }
}
