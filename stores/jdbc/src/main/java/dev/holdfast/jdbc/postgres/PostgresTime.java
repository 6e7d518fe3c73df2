package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.table.TimeColumn;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Columns of type {@code timestamptz}. */
final class PostgresTime implements TimeColumn {
    static final TimeColumn COLUMN = new PostgresTime();

    private PostgresTime() {}

    @Override
    public void set(PreparedStatement statement, int index, Instant time) throws SQLException {
        statement.setObject(index, OffsetDateTime.ofInstant(time, ZoneOffset.UTC));
    }

    @Override
    public Instant get(ResultSet row, int column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        if (time == null) {
            throw new DateTimeException("no time");
        }
        return time.toInstant();
    }
}
