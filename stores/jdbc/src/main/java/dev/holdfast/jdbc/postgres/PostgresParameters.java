package dev.holdfast.jdbc.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows as the parameters of a statement: one by one, or as an array for each column. */
final class PostgresParameters {
    private PostgresParameters() {}

    /** The columns an update sets: all but the key and what only an insert can carry. */
    static int setUpdated(PreparedStatement statement, @Nullable Object[] values, boolean samePast)
            throws SQLException {
        int next = 1;
        List<Boolean> numbers = PostgresSql.LOCK_NUMBERS;
        int end = samePast ? values.length - 1 : values.length;
        for (int i = 2; i < end; i++) {
            if (i != PostgresRow.NEWCOMER) {
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
                if (numbers.get(column)) {
                    Long[] values = new Long[rows.size()];
                    for (int row = 0; row < values.length; row++) {
                        values[row] = (Long) rows.get(row)[column];
                    }
                    numbers(values);
                } else {
                    String[] values = new String[rows.size()];
                    for (int row = 0; row < values.length; row++) {
                        values[row] = (String) rows.get(row)[column];
                    }
                    texts(values);
                }
            }
        }

        void numbers(Long[] values) throws SQLException {
            statement.setArray(next++, connection.createArrayOf("int8", values));
        }

        void texts(String[] values) throws SQLException {
            statement.setArray(next++, connection.createArrayOf("text", values));
        }

        void text(String value) throws SQLException {
            statement.setString(next++, value);
        }
    }
}
