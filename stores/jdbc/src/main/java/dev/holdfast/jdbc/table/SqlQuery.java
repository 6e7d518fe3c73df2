package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A query put together from conditions, with their parameters in order. Values never become part of the text. */
public final class SqlQuery {
    private final StringBuilder sql;
    private final List<Object> values = new ArrayList<>();

    public SqlQuery(String start) {
        sql = new StringBuilder(start);
    }

    /** One more condition; its parameters are texts, longs or times. */
    public void and(String condition, Object... parameters) {
        add(" and " + condition, parameters);
    }

    public void add(String text, Object... parameters) {
        sql.append(text);
        values.addAll(List.of(parameters));
    }

    public ResultSet run(Session session, TimeColumn times) throws SQLException {
        PreparedStatement statement = session.prepare(sql.toString());
        for (int i = 0; i < values.size(); i++) {
            Object value = values.get(i);
            if (value instanceof Instant time) {
                times.set(statement, i + 1, time);
            } else {
                Session.set(statement, i + 1, value);
            }
        }
        return statement.executeQuery();
    }
}
