package dev.holdfast.jdbc.mariadb;

import dev.holdfast.jdbc.documents.DocumentDialect;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;

/** Documents in MariaDB or MySQL. A content must fit into one packet of the server, whose largest has {@code packet} bytes. */
record MariadbDocumentDialect(MariadbConnections database, long packet) implements DocumentDialect {
    private static final long MAX_SIZE = 256L << 20;
    /** Room in a packet for the statement around a content. */
    private static final long STATEMENT_ROOM = 64 << 10;
    /** Drivers may write a byte as two characters. */
    private static final int ESCAPED = 2;

    private static final int DEADLOCK = 1213;
    private static final Set<Integer> RACES = Set.of(DEADLOCK, MariadbFailures.DUPLICATE);
    /** A row too large for the server's log, and a packet too large for the server. */
    private static final Set<Integer> TOO_LARGE = Set.of(1118, 1153);

    @Override
    public String kind() {
        return "mariadb";
    }

    @Override
    public long maxSize() {
        return Math.min(MAX_SIZE, (packet - STATEMENT_ROOM) / ESCAPED);
    }

    @Override
    public String addContent() {
        return "insert into holdfast_content (id, uses, bytes) values (?, ?, ?)"
                + " on duplicate key update uses = uses + values(uses)";
    }

    @Override
    public boolean isRace(SQLException e) {
        return RACES.contains(MariadbFailures.code(e));
    }

    @Override
    public Optional<StoreException> tooLarge(String doing, SQLException e) {
        return TOO_LARGE.contains(MariadbFailures.code(e))
                ? Optional.of(new StoreUnusableException(
                        "The server at " + database.failures().place()
                                + " does not take a content of this size (while " + doing + ": " + e.getMessage()
                                + "); raise max_allowed_packet and innodb_log_file_size, the latter to ten times the"
                                + " largest content",
                        e))
                : Optional.empty();
    }
}
