package dev.holdfast.jdbc.postgres;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.documents.DocumentDialect;
import java.sql.SQLException;
import java.util.Set;

/** Documents in PostgreSQL. */
record PostgresDocumentDialect(PostgresConnections database) implements DocumentDialect {
    /** A value has at most a gigabyte, and what is sent and kept around it is a multiple of it. */
    private static final long MAX_SIZE = 256L << 20;
    /** On its way here a content is written in digits, twice its size: so much at a time is. */
    private static final int PART = 4 << 20;

    private static final String DUPLICATE = "23505";
    private static final Set<String> RACES = Set.of(DUPLICATE, "40001", "40P01");

    @Override
    public String kind() {
        return "postgresql";
    }

    @Override
    public long maxSize() {
        return MAX_SIZE;
    }

    @Override
    public void begin(Session session) throws SQLException {
        database.begin(session);
    }

    @Override
    public int part() {
        return PART;
    }

    @Override
    public String firstPart() {
        return "substring(c.bytes from 1 for " + PART + ")";
    }

    @Override
    public boolean isRace(SQLException e) {
        return RACES.contains(PostgresFailures.state(e));
    }
}
