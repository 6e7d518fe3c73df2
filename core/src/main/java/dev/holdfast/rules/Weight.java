package dev.holdfast.rules;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Waiter;
import java.util.List;
import java.util.Map;

/** How many bytes a record takes at most when stored, so that it never outgrows {@link LockRecord#MAX_BYTES}. */
final class Weight {
    /** Field names, numbers and punctuation of one hold with its ticket. */
    private static final int OF_ENTRY = 512;
    /** Key, past, engines and punctuation of the record itself. */
    private static final int OF_FRAME = 16 * 1024;
    /** The most one entry can weigh, names and metadata at their bounds and all of it escaped. */
    private static final int HEAVIEST = 80 * 1024;

    private Weight() {}

    /** Whether one more hold or waiter with this text still fits. */
    static boolean fits(List<Hold> holds, List<Waiter> queue, int more) {
        if ((holds.size() + queue.size() + 1) * HEAVIEST < LockRecord.MAX_BYTES - OF_FRAME) {
            return true;
        }
        int total = OF_FRAME + more;
        for (Hold hold : holds) {
            total += OF_ENTRY
                    + of(hold.scope())
                    + of(hold.owner())
                    + of(hold.terms().reason());
            total += of(hold.terms().metadata());
        }
        for (Waiter waiter : queue) {
            total += OF_ENTRY + of(waiter.scope()) + of(waiter.owner());
        }
        return total <= LockRecord.MAX_BYTES;
    }

    static int of(Scope scope, String owner, String reason, Map<String, String> metadata) {
        return OF_ENTRY + of(scope) + of(owner) + of(reason) + of(metadata);
    }

    private static int of(Scope scope) {
        int bytes = 0;
        for (LockPath path : scope.paths()) {
            bytes += of(path.value()) + 3;
        }
        return bytes;
    }

    private static int of(Map<String, String> metadata) {
        int bytes = 0;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            bytes += of(entry.getKey()) + of(entry.getValue()) + 6;
        }
        return bytes;
    }

    private static int of(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c < ' ' ? 6 : c == '"' || c == '\\' ? 2 : c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
        }
        return bytes;
    }
}
