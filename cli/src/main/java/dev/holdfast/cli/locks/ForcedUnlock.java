package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.cli.connect.Operator;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.NextSteps;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Prompt;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.cli.text.TextColour;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Token;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;

/** Ends somebody's hold by force, after showing whose it is and asking. */
public record ForcedUnlock(CommandSpec spec, Output output, LockKey key, ForcedUnlock.UnlockRequest wish) {
    /** More names than this help nobody. */
    private static final int NAMES = 3;

    /**
     * Whose hold is meant, and how sure somebody must be.
     *
     * @param path of the part that is held, if only that is meant
     * @param force whether the holder need not be stale
     * @param what what kind of name is to be typed for a holder that is not stale
     * @param typed that name
     */
    public record UnlockRequest(
            UnlockOptions options, Optional<String> path, boolean force, String what, String typed) {}

    public int on(LockClient locks) {
        try {
            LockView view = locks.inspect().get(key);
            List<Holder> meant = view.holders().stream().filter(this::isMeant).toList();
            if (meant.isEmpty()) {
                output.say("holdfast: " + nobody(view));
                return ExitCodes.NOT_HELD;
            }
            if (meant.size() > 1) {
                return severalHold(view);
            }
            Holder victim = meant.get(0);
            show(view, victim);
            if (!isConfirmed(victim)) {
                return ExitCodes.NOT_CONFIRMED;
            }
            if (victim.stale() && isBack(locks, victim)) {
                output.say("holdfast: Meanwhile '" + Screen.clean(victim.owner())
                        + "' has renewed it: the hold is no longer stale. Nothing was done");
                return ExitCodes.NOT_CONFIRMED;
            }
            String why = wish.options().reason().orElse(spec.qualifiedName() + " by " + Operator.label());
            return locks.inspect()
                    .forceUnlock(key, victim.token(), why)
                    .fold(
                            done -> done(victim, why),
                            busy -> changed(victim, busy.holders()),
                            lost -> changed(victim, List.of()));
        } finally {
            output.out().flush();
        }
    }

    /** Somebody may think for a while before answering. */
    private boolean isBack(LockClient locks, Holder victim) {
        return !wish.force()
                && locks.inspect().get(key).holders().stream()
                        .anyMatch(it -> it.token().equals(victim.token()) && !it.stale());
    }

    // ---- whose

    private boolean isMeant(Holder holder) {
        return wish.options()
                        .token
                        .map(it -> holder.token().equals(new Token(it)))
                        .orElse(true)
                && wish.path()
                        .map(LockPath::of)
                        .or(() -> Optional.of(key.path()).filter(it -> !it.isWhole()))
                        .map(holder.paths()::contains)
                        .orElse(true);
    }

    private String nobody(LockView view) {
        if (view.isFree()) {
            return "Nobody holds " + lower() + ". Nothing was done";
        }
        return "Nobody holds " + lower()
                + wish.options().token.map(it -> " with token " + it).orElse("") + ". Look who does: "
                + new NextSteps(spec).command("get", key.record());
    }

    private String lower() {
        return "l" + RefusalText.named(key).substring(1);
    }

    private int severalHold(LockView view) {
        output.say("holdfast: " + view.holders().size() + " hold " + lower() + ". Say which one with --token:");
        for (Holder holder : view.holders()) {
            output.say("  --token " + holder.token() + "  " + Screen.clean(holder.owner())
                    + Screen.clean(holder.paths().get(0).isWhole() ? "" : " at " + LockLines.paths(holder.paths()))
                    + ", held for " + Ages.between(holder.grantedAt(), view.at())
                    + (holder.stale() ? ", stale" : ""));
        }
        return ExitCodes.USAGE;
    }

    // ---- really?

    /** What somebody must see before the hold is ended. */
    private void show(LockView view, Holder holder) {
        output.say(RefusalText.named(LockKey.of(key.namespace(), key.name())));
        String part = LockLines.paths(holder.paths());
        line(
                "held by",
                output.paintedTalk(TextColour.STRONG, Screen.clean(holder.owner()))
                        + (part.isEmpty() ? "" : " (only " + Screen.clean(part) + ")"));
        if (!holder.reason().isEmpty()) {
            line("reason", Screen.clean(holder.reason()));
        }
        line("held for", Ages.between(holder.grantedAt(), view.at()));
        String ago = Ages.between(holder.renewedAt(), view.at()) + " ago";
        line(
                "last heartbeat",
                holder.stale()
                        ? output.paintedTalk(TextColour.BAD, ago + ": stale")
                        : ago + ", " + output.paintedTalk(TextColour.CAREFUL, "not stale"));
        line(
                "ends by itself",
                holder.expiresAt()
                        .map(end -> "in " + Ages.between(view.at(), end) + " unless renewed")
                        .orElse("never"));
        line("fencing token", holder.token().toString());
        line("waiting", waiting(view.waiters()));
        output.err().flush();
    }

    private static String waiting(List<LockView.Waiting> waiters) {
        if (waiters.isEmpty()) {
            return "nobody";
        }
        String names = String.join(
                ", ", waiters.stream().limit(NAMES).map(LockView.Waiting::owner).toList());
        return waiters.size() + ": " + Screen.clean(names) + (waiters.size() > NAMES ? ", …" : "");
    }

    private void line(String label, String value) {
        output.say("  " + output.paintedTalk(TextColour.QUIET, String.format("%-16s", label)) + value);
    }

    private boolean isConfirmed(Holder victim) {
        return (Terminal.is(Terminal.STDIN) && !wish.options().yes) ? isTyped(victim) : isSaid(victim);
    }

    /** Nobody is asked: what ends the hold of one who may be at work has to be said on the command line. */
    private boolean isSaid(Holder victim) {
        if (!victim.stale() && (!wish.force() || wish.options().reason().isEmpty())) {
            output.say("holdfast: '" + Screen.clean(victim.owner())
                    + "' is not stale and may be at work. To end its hold anyway, add --force --reason 'why'."
                    + " Nothing was done");
            return false;
        }
        if (!wish.options().yes && !wish.force()) {
            output.say("holdfast: There is no terminal to ask at. To end this hold, add --yes. Nothing was done");
            return false;
        }
        return true;
    }

    private boolean isTyped(Holder victim) {
        String expected = victim.stale() || wish.force() ? "yes" : wish.typed();
        String question = expected.equals("yes")
                ? "End this hold by force? (yes/no):"
                : "Its holder is not stale and may be working.\n" + "To end the hold anyway, type the name of the "
                        + wish.what() + ":";
        return Prompt.isConfirmed(output.err(), question, expected);
    }

    // ---- what came of it

    private int changed(Holder victim, List<Holder> now) {
        String next = now.isEmpty()
                ? "nobody holds it now"
                : "'" + Screen.clean(now.get(0).owner()) + "' holds it now. Check whether you still want this";
        output.say("holdfast: Meanwhile '" + Screen.clean(victim.owner()) + "' does not hold " + lower() + " any more; "
                + next + ". Nothing was done");
        return ExitCodes.NOT_HELD;
    }

    private int done(Holder victim, String why) {
        LockKey part = new LockKey(key.record(), victim.paths().get(0));
        output.show(
                JsonText.wrapped(
                        json -> LockJson.forced(json, part, victim.token(), victim.owner(), Operator.label(), why)),
                Stream.of(KeyText.of(key.record())),
                () -> output.done("The hold of '" + Screen.clean(victim.owner()) + "' on " + lower()
                        + " was ended by force; its token " + victim.token() + " is no longer valid"));
        return ExitCodes.OK;
    }
}
