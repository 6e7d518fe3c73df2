package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.Ink;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import java.util.List;

/** What somebody must see before a hold is ended by force. */
final class HolderText {
    private static final int NAMES = 3;

    private HolderText() {}

    static void print(Output output, LockKey key, LockView view, Holder holder) {
        output.err().println(RefusalText.named(LockKey.of(key.namespace(), key.name())));
        line(output, "held by", output.paintedTalk(Ink.STRONG, Screen.clean(holder.owner())) + part(holder.paths()));
        if (!holder.reason().isEmpty()) {
            line(output, "reason", Screen.clean(holder.reason()));
        }
        line(output, "held for", Ages.between(holder.grantedAt(), view.at()));
        String ago = Ages.between(holder.renewedAt(), view.at()) + " ago";
        line(
                output,
                "last heartbeat",
                holder.stale()
                        ? output.paintedTalk(Ink.BAD, ago + ": stale")
                        : ago + ", " + output.paintedTalk(Ink.CAREFUL, "not stale"));
        line(
                output,
                "ends by itself",
                holder.expiresAt()
                        .map(end -> "in " + Ages.between(view.at(), end) + " unless renewed")
                        .orElse("never"));
        line(output, "fencing token", holder.token().toString());
        line(output, "waiting", waiting(view.waiters()));
        output.err().flush();
    }

    private static String part(List<LockPath> paths) {
        String text = LockLines.paths(paths);
        return text.isEmpty() ? "" : " (only " + Screen.clean(text) + ")";
    }

    private static String waiting(List<LockView.Waiting> waiters) {
        if (waiters.isEmpty()) {
            return "nobody";
        }
        String names = String.join(
                ", ", waiters.stream().limit(NAMES).map(LockView.Waiting::owner).toList());
        return waiters.size() + ": " + Screen.clean(names) + (waiters.size() > NAMES ? ", …" : "");
    }

    private static void line(Output output, String label, String value) {
        output.err().println("  " + output.paintedTalk(Ink.QUIET, String.format("%-16s", label)) + value);
    }
}
