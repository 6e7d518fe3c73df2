package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.table.EventRows;
import dev.holdfast.jdbc.table.Utc;
import dev.holdfast.model.EndedLeases;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write as the values of its row, and the condition as the columns that carry it. */
record PostgresRow(Write write, LockRecord record) {
    /** In no past: control characters are escaped there. */
    static final String NO_MARK = "\u0001";

    /** The columns of an event that there is not. */
    static final @Nullable Object[] NO_EVENT = new @Nullable Object[PostgresSql.EVENT_NUMBERS.size()];

    /** Where in {@link #values} the mark is. */
    private static final int NEWCOMER = 3;

    /** The stamp it expects; empty if it expects none, or an idle record. */
    Optional<Precondition.Stamped> expected() {
        return write.precondition() instanceof Precondition.Stamped stamped ? Optional.of(stamped) : Optional.empty();
    }

    /** The time before which it is too early, as text; null if there is none. */
    @Nullable String notBefore() {
        return expected()
                .flatMap(Precondition.Stamped::notBefore)
                .map(PostgresRow::time)
                .orElse(null);
    }

    /** The mark of the lease that must not have ended before. */
    static String mark(Precondition.IdleBelow idle) {
        return idle.leases().isEmpty()
                ? NO_MARK
                : EndedLeases.mark(idle.leases().get(0));
    }

    /** The mark, if a batch can judge it as an idle record; else null, and it is only written if there is none. */
    private @Nullable String newcomer() {
        return write.precondition() instanceof Precondition.IdleBelow idle
                        && idle.leases().size() <= 1
                        && idle.token().equals(record.fence())
                ? mark(idle)
                : null;
    }

    /** A text, number or null for each column; the last, what it remembers, is null if that stays as it is. */
    @Nullable Object[] values() {
        return new @Nullable Object[] {
            record.key().namespace(),
            record.key().name(),
            record.stamp().value(),
            newcomer(),
            record.fence().value(),
            (long) record.format(),
            record.isIdle() ? 0L : 1L,
            write.text().body(),
            write.samePast() ? null : write.text().past()
        };
    }

    /** A text or null for each column of an event; what is as usual is left out of the details. */
    static @Nullable Object[] event(LockEvent event) {
        return new @Nullable Object[] {
            Times.micros(event.at()),
            EventRows.type(event.type()),
            event.key().namespace(),
            event.key().name(),
            detail(event),
            event.metadata().isEmpty() ? null : PastJson.metadata(event.metadata())
        };
    }

    private static String detail(LockEvent event) {
        StringBuilder detail = new StringBuilder(160).append("{\"lease\":\"").append(EventRows.hex(event.lease()));
        detail.append("\",\"owner\":");
        PastJson.quote(detail, event.owner());
        detail.append(",\"token\":\"").append(event.token().value()).append('"');
        long lasted = Times.micros(event.lasted());
        if (lasted != 0) {
            detail.append(",\"lasted_us\":\"").append(lasted).append('"');
        }
        put(detail, ",\"path\":", EventRows.paths(event.scope()), "");
        put(detail, ",\"mode\":", event.scope().mode().toString(), "exclusive");
        put(detail, ",\"actor\":", event.actor(), event.owner());
        put(detail, ",\"reason\":", event.reason(), "");
        put(detail, ",\"request\":", event.request(), "");
        return detail.append('}').toString();
    }

    private static void put(StringBuilder detail, String name, String value, String usual) {
        if (!value.equals(usual)) {
            detail.append(name);
            PastJson.quote(detail, value);
        }
    }

    static String time(Instant time) {
        return Utc.text(time) + "Z";
    }

    // ---- as the parameters of a statement: one by one, or as an array for each column

    /** The columns an update sets: all but the key and what only an insert can carry. */
    int setUpdated(PreparedStatement statement) throws SQLException {
        @Nullable Object[] values = values();
        int next = 1;
        List<Boolean> numbers = PostgresSql.LOCK_NUMBERS;
        int end = write.samePast() ? values.length - 1 : values.length;
        for (int i = 2; i < end; i++) {
            if (i != NEWCOMER) {
                set(statement, next++, values[i], numbers.get(i));
            }
        }
        return next;
    }

    static int set(PreparedStatement statement, int first, @Nullable Object[] values, List<Boolean> numbers)
            throws SQLException {
        for (int i = 0; i < values.length; i++) {
            set(statement, first + i, values[i], numbers.get(i));
        }
        return first + values.length;
    }

    /** Always with the same type: another one would make the server plan anew. */
    private static void set(PreparedStatement statement, int index, @Nullable Object value, boolean number)
            throws SQLException {
        if (value == null) {
            statement.setNull(index, number ? Types.BIGINT : Types.VARCHAR);
        } else if (number) {
            statement.setLong(index, (Long) value);
        } else {
            statement.setString(index, (String) value);
        }
    }

    /** Sets one parameter after the other. */
    static final class Arrays {
        private final Connection connection;
        private final PreparedStatement statement;
        private int next = 1;

        Arrays(Connection connection, PreparedStatement statement) {
            this.connection = connection;
            this.statement = statement;
        }

        /** An array for each column of these rows. */
        void columns(List<@Nullable Object[]> rows, List<Boolean> numbers) throws SQLException {
            for (int column = 0; column < numbers.size(); column++) {
                column(rows, column, numbers.get(column));
            }
        }

        /** An array for each of these columns. */
        void columns(List<@Nullable Object[]> rows, List<Boolean> numbers, List<Integer> places) throws SQLException {
            for (int column : places) {
                column(rows, column, numbers.get(column));
            }
        }

        private void column(List<@Nullable Object[]> rows, int column, boolean number) throws SQLException {
            @Nullable Object[] values = number ? new Long[rows.size()] : new String[rows.size()];
            for (int row = 0; row < values.length; row++) {
                values[row] = rows.get(row)[column];
            }
            statement.setArray(next++, connection.createArrayOf(number ? "int8" : "text", values));
        }

        void numbers(Long[] values) throws SQLException {
            statement.setArray(next++, connection.createArrayOf("int8", values));
        }

        void texts(@Nullable String[] values) throws SQLException {
            statement.setArray(next++, connection.createArrayOf("text", values));
        }
    }

    /** It was written; {@code past} is what the row remembers, if it was to be kept. */
    WriteResult applied(@Nullable String past) {
        if (past == null || (past.isEmpty() && record.past().equals(Past.NONE))) {
            return WriteResult.Applied.PLAIN;
        }
        return new WriteResult.Applied("", Optional.of(read(record.key(), past)));
    }

    /** It is written already, so what cannot be read is only forgotten here: the row still has it. */
    private static Past read(RecordKey key, String past) {
        try {
            return PastJson.read(past);
        } catch (IOException | IllegalArgumentException e) {
            throw new OutcomeUnknownException(
                    "Lock '" + key.name() + "' in '" + key.namespace()
                            + "' was written, but what it remembers cannot be"
                            + " read (" + e.getMessage() + "); empty its column 'past' when no late duplicate of a"
                            + " request can come",
                    e);
        }
    }
}
