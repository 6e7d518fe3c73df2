package dev.holdfast.jdbc;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.Write;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One write as the values of its row, and the condition as the columns that carry it. */
final class PostgresRow {
    /** In no past: control characters are escaped there. */
    static final String NO_MARK = "\u0001";

    private static final Long ABSENT = 0L;

    final Write write;
    final LockRecord record;

    PostgresRow(Write write, LockRecord record) {
        this.write = write;
        this.record = record;
    }

    /** The time before which it is too early, as text; null if there is none. */
    @Nullable String notBefore() {
        return write.precondition() instanceof Precondition.Stamped stamped
                ? stamped.notBefore().map(PostgresRow::time).orElse(null)
                : null;
    }

    /** The mark of the lease that must not have ended before. */
    static String mark(Precondition.IdleBelow idle) {
        return idle.leases().isEmpty() ? NO_MARK : PastJson.mark(idle.leases().get(0));
    }

    /** Whether a batch can judge it as an idle record; else it is only written if there is none. */
    private static boolean judgesIdle(Precondition.IdleBelow idle, LockRecord record) {
        return idle.leases().size() <= 1 && idle.token().equals(record.fence());
    }

    /** A text, number or null for each column. */
    @Nullable Object[] values() {
        @Nullable Long replaces = ABSENT;
        @Nullable String newcomer = null;
        if (write.precondition() instanceof Precondition.Stamped stamped) {
            replaces = stamped.stamp().value();
        } else if (write.precondition() instanceof Precondition.IdleBelow idle && judgesIdle(idle, record)) {
            replaces = null;
            newcomer = mark(idle);
        }
        @Nullable Hold hold = record.holds().isEmpty() ? null : record.holds().get(0);
        return new @Nullable Object[] {
            record.key().namespace(),
            record.key().name(),
            record.stamp().value(),
            replaces,
            newcomer,
            record.fence().value(),
            (long) record.format(),
            record.isIdle() ? 0L : 1L,
            hold == null ? null : hold.owner(),
            hold == null ? null : hold.token().value(),
            hold == null ? null : time(hold.grantedAt()),
            hold == null ? null : time(hold.renewedAt()),
            hold == null ? null : time(hold.expiresAt()),
            RecordCodec.body(record),
            PastJson.write(record.past())
        };
    }

    static String time(Instant time) {
        return Utc.text(time) + "Z";
    }
}
