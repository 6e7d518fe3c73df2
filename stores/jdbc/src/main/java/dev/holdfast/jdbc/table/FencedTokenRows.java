package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.fence.FencedTokens.FencedToken;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/** All rows of {@code holdfast_fence}, for who carries them somewhere else. */
public final class FencedTokenRows {
    /** Makes or raises a row (namespace, name, path, token) and never lowers it, in SQLite and PostgreSQL. */
    public static final String RAISE = "insert into holdfast_fence (namespace, name, path, token) values (?, ?, ?, ?)"
            + " on conflict (namespace, name, path) do update set token = excluded.token"
            + " where holdfast_fence.token <= excluded.token";
    /** The same in MariaDB and MySQL. */
    public static final String RAISE_MARIADB = "insert into holdfast_fence (namespace, name, path, token)"
            + " values (?, ?, ?, ?) on duplicate key update token = greatest(token, values(token))";

    private static final String SELECT = "select namespace, name, path, token from holdfast_fence";
    private static final String BEHIND =
            " where namespace > ? or (namespace = ? and (name > ? or (name = ? and path > ?)))";
    private static final String PAGE = " order by namespace, name, path limit ?";

    private FencedTokenRows() {}

    public static List<FencedToken> page(Session session, Optional<FencedToken> after, int limit) throws SQLException {
        Session.RowReader<FencedToken> reader = row -> new FencedToken(
                new RecordKey(row.getString(1), row.getString(2)), row.getString(3), new Token(row.getLong(4)));
        if (after.isEmpty()) {
            return session.all(SELECT + PAGE, reader, limit);
        }
        FencedToken last = after.get();
        String namespace = last.key().namespace();
        String name = last.key().name();
        return session.all(SELECT + BEHIND + PAGE, reader, namespace, namespace, name, name, last.path(), limit);
    }

    /** Raises them with this statement, and commits. */
    public static void raise(Session session, String statement, List<FencedToken> tokens) throws SQLException {
        PreparedStatement raise = session.prepare(statement);
        raise.clearBatch();
        for (FencedToken token : tokens) {
            LockRows.setKey(raise, 1, token.key());
            raise.setString(3, token.path());
            raise.setLong(4, token.token().value());
            raise.addBatch();
        }
        raise.executeBatch();
        session.commit();
    }
}
