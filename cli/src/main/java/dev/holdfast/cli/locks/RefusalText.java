package dev.holdfast.cli.locks;

import dev.holdfast.Attempt;
import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockKey;
import java.time.Duration;
import java.time.Instant;
import picocli.CommandLine.Model.CommandSpec;

/** Why a lock was not granted: who has it, why, for how long, and what can be done. */
public record RefusalText(CommandSpec spec, LockKey key) {
    /** In a line. The look came after the attempt and only tells the time there. */
    public String text(LockView look, Attempt.Busy<?> busy) {
        return "holdfast: " + named(key) + " is " + by(look.at(), busy) + ". Wait for it with --wait, or look: "
                + new NextSteps(spec).command("explain", key.record());
    }

    static String named(LockKey key) {
        return "Lock " + Screen.clean(KeyText.of(key));
    }

    private static String by(Instant now, Attempt.Busy<?> busy) {
        if (busy.holders().isEmpty()) {
            return "promised to " + (busy.waiting() == 1 ? "one who waits" : busy.waiting() + " who wait") + " for it";
        }
        Holder first = busy.holders().get(0);
        String others =
                busy.holders().size() == 1 ? "" : " and " + (busy.holders().size() - 1) + " more";
        String until = first.expiresAt()
                .map(end -> Duration.between(now, end).isNegative()
                        ? ""
                        : " for another " + Ages.between(now, end) + " unless renewed")
                .orElse(" without end");
        String queue = busy.waiting() == 0 ? "" : "; " + busy.waiting() + (busy.waiting() == 1 ? " waits" : " wait");
        return "held by '" + Screen.clean(first.owner()) + "'" + others + why(first) + until + queue;
    }

    private static String why(Holder holder) {
        return holder.reason().isEmpty() ? "" : " (" + Screen.clean(holder.reason()) + ")";
    }
}
