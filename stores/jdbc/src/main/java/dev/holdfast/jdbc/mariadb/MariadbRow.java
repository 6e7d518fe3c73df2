package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way. What it expects of the stored row is a stamp or that there is none: a condition that is more than
 * that is judged on a row that was read before, whose stamp is then expected.
 */
final class MariadbRow {
    /** In no year in which this program runs. */
    private static final String ALWAYS = "1970-01-01 00:00:00.000000";

    /**
     * A row as it was read.
     *
     * @param record what it says; null if it cannot be read
     * @param past the text that remembers ended leases
     * @param damage why it cannot be read
     */
    record Current(
            @Nullable LockRecord record,
            String past,
            @Nullable StoreUnusableException damage) {}

    final Write write;
    private @Nullable Stamp expected;
    private @Nullable Current replaced;
    private @Nullable WriteResult result;
    private @Nullable Long id;
    private @Nullable RecordText text;

    MariadbRow(Write write) {
        this.write = write;
        if (write.precondition() instanceof Precondition.Stamped stamped) {
            expected = stamped.stamp();
        }
    }

    RecordKey key() {
        return write.key();
    }

    // ---- what to do

    /** Whether the row has to be read before it is known what to expect of it. */
    boolean isToBeJudged() {
        return expected == null && result == null;
    }

    boolean isInsert() {
        return result == null && expected == null; // deletes expect something
    }

    boolean isUpdate() {
        return result == null && expected != null && write.record().isPresent();
    }

    boolean isDelete() {
        return result == null && expected != null && write.record().isEmpty();
    }

    Stamp expected() {
        if (expected == null) {
            throw new IllegalStateException("no stamp is expected of " + key());
        }
        return expected;
    }

    LockRecord record() {
        return write.record().orElseThrow();
    }

    /** The record as text, made once. */
    RecordText text() {
        RecordText made = text;
        if (made == null) {
            made = write.text();
            text = made;
        }
        return made;
    }

    /** Whether what the stored row remembers stays as it is. */
    boolean keepsPast() {
        return replaced != null || (expected != null && write.samePast());
    }

    /** The time before which it is too early, as text. */
    String notBefore() {
        return write.precondition() instanceof Precondition.Stamped stamped
                ? stamped.notBefore().map(Utc::text).orElse(ALWAYS)
                : ALWAYS;
    }

    /** Whether the stored row, which nobody else can change now, is the one expected, and the time has come. */
    boolean isMetBy(ResultSet row, int stampColumn, int nowColumn) throws SQLException {
        if (row.getLong(stampColumn) != expected().value()) {
            return false;
        }
        return notBefore().equals(ALWAYS) || !Utc.COLUMN.get(row, nowColumn).isBefore(Utc.time(notBefore()));
    }

    /** The number of the stored row, once it is locked; null for one that is new. */
    @Nullable Long id() {
        return id;
    }

    void setId(long stored) {
        id = stored;
    }

    /** Judges "absent" and "idle below" on what is stored; null if nothing is. */
    void judge(@Nullable Current stored) {
        if (stored == null) {
            return;
        }
        LockRecord record = stored.record();
        if (record != null && write.precondition() instanceof Precondition.IdleBelow idle && idle.isMetBy(record)) {
            expected = record.stamp();
            replaced = stored;
            return;
        }
        refuse(stored);
    }

    // ---- what became of it

    void applied() {
        Current before = replaced;
        LockRecord kept = before == null ? null : before.record();
        if (before == null
                || kept == null
                || (before.past().isEmpty() && record().past().equals(Past.NONE))) {
            result = WriteResult.Applied.PLAIN;
        } else {
            result = new WriteResult.Applied("", Optional.of(kept.past()));
        }
    }

    /** It was not written because of what is stored; null if nothing is. */
    void refuse(@Nullable Current stored) {
        if (stored == null) {
            result = new WriteResult.Refused(Optional.empty());
        } else if (stored.damage() != null) {
            result = new WriteResult.Failed(stored.damage());
        } else if (stored.record() != null) {
            result = isTooEarly(stored.record())
                    ? new WriteResult.TooEarly()
                    : new WriteResult.Refused(Optional.of(Versioned.of(stored.record())));
        }
    }

    private boolean isTooEarly(LockRecord record) {
        return write.precondition() instanceof Precondition.Stamped stamped
                && stamped.notBefore().isPresent()
                && stamped.stamp().equals(record.stamp());
    }

    boolean isOpen() {
        return result == null;
    }

    boolean isApplied() {
        return result instanceof WriteResult.Applied;
    }

    WriteResult result() {
        if (result == null) {
            throw new IllegalStateException("no result for " + key());
        }
        return result;
    }
}
