package dev.holdfast.state.terraform;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Waiter;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The lease ids of a lock's {@code ID}. It is the ID itself; but a place in the queue that was given up ends its lease id for ever,
 * while terraform goes on to poll with the same ID. Then the ID goes on as {@code ID.1}, {@code ID.2}...: with a dot, so that no
 * client can name one of them. Which one is meant can be read from the record alone, also after a restart.
 */
final class LockIds {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_-]{8,128}");
    /** Who loses its place more often than this is not waiting. */
    private static final int MAX_LIVES = 16;

    private LockIds() {}

    static boolean isId(String id) {
        return ID.matcher(id).matches();
    }

    /** The ID a lease id belongs to. */
    static String of(LeaseId lease) {
        int dot = lease.value().indexOf('.');
        return dot < 0 ? lease.value() : lease.value().substring(0, dot);
    }

    static Optional<Hold> hold(LockRecord record, String id) {
        return record.holds().stream()
                .filter(hold -> of(hold.leaseId()).equals(id))
                .findFirst();
    }

    static Optional<Waiter> place(LockRecord record, String id) {
        return record.queue().stream()
                .filter(waiter -> of(waiter.leaseId()).equals(id))
                .findFirst();
    }

    /** The lease id under which this ID holds, waits, or would ask; {@code unused} are ended ones that were never told to their caller. */
    static LeaseId lease(LockRecord record, String id, Predicate<LeaseId> unused) {
        return hold(record, id)
                .map(Hold::leaseId)
                .or(() -> place(record, id).map(Waiter::leaseId))
                .orElseGet(() -> next(record, id, unused));
    }

    private static LeaseId next(LockRecord record, String id, Predicate<LeaseId> unused) {
        LeaseId lease = new LeaseId(id);
        for (int life = 1; life < MAX_LIVES && (isAbandoned(record, lease) || unused.test(lease)); life++) {
            String following = id + "." + life;
            if (following.length() > 128) {
                break;
            }
            lease = new LeaseId(following);
        }
        return lease;
    }

    private static boolean isAbandoned(LockRecord record, LeaseId lease) {
        return record.past().how(lease).filter(LostReason.ABANDONED::equals).isPresent();
    }

    /** How this ID ended, if that is remembered; the last of its lives counts. */
    static Optional<LostReason> ended(LockRecord record, String id) {
        LeaseId last = next(record, id, lease -> false);
        return record.past().how(last).or(() -> record.past().how(new LeaseId(id)));
    }
}
