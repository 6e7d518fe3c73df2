package dev.holdfast.internal.rules;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Waiter;
import java.util.List;
import java.util.Map;

/**
 * How many bytes a record takes at most when stored, so that it does not outgrow {@link LockRecord#MAX_BYTES}. A thousand
 * ordinary holders fit; ten with all the metadata they may have do, too.
 */
final class Weight {
    /** Field names, numbers and punctuation of a hold. */
    private static final int OF_HOLD = 216;
    /** The place in the queue of an offer; a waiter may become one. */
    private static final int OF_TICKET = 190;
    /** Key, past, engines and punctuation of the record itself. */
    private static final int OF_FRAME = 4 * 1024;
    /** The most one entry can weigh, names and metadata at their bounds and all of it escaped. */
    private static final int HEAVIEST = 80 * 1024;

    private Weight() {}

    /** Whether one more hold or waiter of this weight still fits. */
    static boolean fits(List<Hold> holds, List<Waiter> queue, int more) {
        if ((holds.size() + queue.size() + 1) * HEAVIEST < LockRecord.MAX_BYTES - OF_FRAME) {
            return true;
        }
        int total = OF_FRAME + more;
        for (Hold hold : holds) {
            total += of(hold.leaseId(), hold.scope(), hold.owner(), hold.terms());
            total += hold.ticket().isPresent() ? OF_TICKET : 0;
        }
        for (Waiter waiter : queue) {
            total += OF_HOLD + OF_TICKET + of(waiter.leaseId(), waiter.scope(), waiter.owner());
        }
        return total <= LockRecord.MAX_BYTES;
    }

    /** What a hold on these terms weighs. */
    static int of(LeaseId leaseId, Scope scope, String owner, Terms terms) {
        int bytes = OF_HOLD + of(leaseId, scope, owner) + (terms.minHold().isZero() ? 0 : 25);
        if (!terms.reason().isEmpty()) {
            bytes += 12 + of(terms.reason());
        }
        if (!terms.account().isNone()) {
            bytes += 35 + of(terms.account().name()) + of(terms.account().group());
        }
        if (!terms.metadata().isEmpty()) {
            bytes += 14;
            for (Map.Entry<String, String> entry : terms.metadata().entrySet()) {
                bytes += of(entry.getKey()) + of(entry.getValue()) + 6;
            }
        }
        return bytes;
    }

    private static int of(LeaseId leaseId, Scope scope, String owner) {
        int bytes = leaseId.value().length() + of(owner);
        for (LockPath path : scope.paths()) {
            bytes += path.isWhole() ? 0 : of(path.value()) + 14;
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
