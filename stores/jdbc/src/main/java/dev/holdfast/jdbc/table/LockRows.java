package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.RecordCodec;
import dev.holdfast.spi.RecordText;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Versioned;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records as rows: reading and listing them, and the columns of a row that is written.
 *
 * @param times how this database's columns keep times
 * @param comparesRows whether {@code (a, b) > (?, ?)} is found by an index; else it is written out
 */
public record LockRows(TimeColumn times, boolean comparesRows) {
    private static final Logger LOG = LoggerFactory.getLogger(LockRows.class);

    /** The columns {@link #set} fills, in its order. The record is in body and past; the rest is compared, or read by people. */
    public static final List<String> COLUMNS = List.of(
            "stamp",
            "fence",
            "format",
            "busy",
            "owner",
            "token",
            "acquired_at",
            "renewed_at",
            "expires_at",
            "body",
            "past");

    private static final String READ = "select namespace, name, stamp, fence, body, past";
    private static final String SELECT = READ + " from holdfast_lock where ";
    private static final String OF_KEY = "namespace = ? and name = ?";
    public static final String ONE = SELECT + OF_KEY;
    /** The column of {@link #oneWith}. */
    public static final int WITH = 7;

    public LockRows(TimeColumn times) {
        this(times, true);
    }

    public Optional<Versioned> read(Session session, RecordKey key) throws SQLException {
        return session.first(ONE, row -> Versioned.of(record(row)), key.namespace(), key.name());
    }

    /** A query for one record, with something else of the same moment as its last column. */
    public static String oneWith(String expression) {
        return READ + ", " + expression + " from holdfast_lock where " + OF_KEY;
    }

    public static LockRecord record(ResultSet row) throws SQLException {
        return RecordCodec.decode(
                new RecordKey(row.getString(1), row.getString(2)),
                new Stamp(row.getLong(3)),
                new Token(row.getLong(4)),
                row.getString(5),
                row.getString(6));
    }

    // ---- listing

    public Page scan(Session session, ScanRequest request) throws SQLException {
        SqlQuery query = new SqlQuery(SELECT + "1 = 1");
        request.namespace().ifPresent(namespace -> query.and("namespace = ?", namespace));
        if (!request.prefix().isEmpty()) {
            query.and("name >= ?", request.prefix());
            Prefix.end(request.prefix()).ifPresent(end -> query.and("name < ?", end));
        }
        if (request.which().busy()) {
            query.and("busy = 1");
        }
        request.which().idleSince().ifPresent(since -> query.and("busy = 0 and fence < ?", Times.micros(since)));
        request.after().ifPresent(key -> after(query, key));
        query.add(" order by namespace, name limit ?", request.limit() + 1L);
        List<Versioned> found = new ArrayList<>();
        int rows = 0;
        Optional<String> last = Optional.empty();
        try (ResultSet row = query.run(session, times)) {
            while (row.next()) {
                if (++rows > request.limit()) {
                    return new Page(found, last);
                }
                last = Optional.of(Page.cursor(row.getString(1), row.getString(2)));
                readable(row).ifPresent(record -> found.add(Versioned.of(record)));
            }
        }
        return new Page(found, Optional.empty());
    }

    private void after(SqlQuery query, RecordKey key) {
        if (comparesRows) {
            query.and("(namespace, name) > (?, ?)", key.namespace(), key.name());
        } else {
            query.and("(namespace > ? or (namespace = ? and name > ?))", key.namespace(), key.namespace(), key.name());
        }
    }

    /** One damaged record must not hide all others from those who list or clean up; who asks for it by name is told. */
    private static Optional<LockRecord> readable(ResultSet row) throws SQLException {
        try {
            return Optional.of(record(row));
        } catch (StoreUnusableException e) {
            LOG.warn("Left out of a listing: {}", e.getMessage());
            return Optional.empty();
        }
    }

    // ---- writing

    /** Sets the parameters from {@code first} on to {@link #COLUMNS} of this record; returns the index after them. */
    public int set(PreparedStatement statement, int first, LockRecord record, RecordText text) throws SQLException {
        int past = setAllButPast(statement, first, record, text);
        statement.setString(past, text.past());
        return past + 1;
    }

    /** The same without the last column. */
    public int setAllButPast(PreparedStatement statement, int first, LockRecord record, RecordText text)
            throws SQLException {
        int i = first;
        statement.setLong(i++, record.stamp().value());
        statement.setLong(i++, record.fence().value());
        statement.setInt(i++, record.format());
        statement.setInt(i++, record.isIdle() ? 0 : 1);
        if (record.holds().isEmpty()) {
            statement.setNull(i++, Types.VARCHAR);
            statement.setNull(i++, Types.BIGINT);
            statement.setNull(i++, Types.TIMESTAMP);
            statement.setNull(i++, Types.TIMESTAMP);
            statement.setNull(i++, Types.TIMESTAMP);
        } else {
            Hold hold = record.holds().get(0);
            statement.setString(i++, hold.owner());
            statement.setLong(i++, hold.token().value());
            times.set(statement, i++, hold.grantedAt());
            times.set(statement, i++, hold.renewedAt());
            times.set(statement, i++, hold.expiresAt());
        }
        statement.setString(i++, text.body());
        return i;
    }

    public static void setKey(PreparedStatement statement, int first, RecordKey key) throws SQLException {
        statement.setString(first, key.namespace());
        statement.setString(first + 1, key.name());
    }
}
