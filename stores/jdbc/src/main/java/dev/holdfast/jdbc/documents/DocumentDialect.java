package dev.holdfast.jdbc.documents;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.connection.SqlDatabase;
import dev.holdfast.spi.StoreException;
import java.sql.SQLException;
import java.util.Optional;

/** What differs between databases that keep documents. Everything else is in {@link JdbcDocuments}. */
public interface DocumentDialect {
    SqlDatabase database();

    /** Short name for messages. */
    String kind();

    /** The largest content, in bytes. */
    long maxSize();

    /** Starts a transaction in which rows that were read {@link #forUpdate()} stay as they are. */
    default void begin(Session session) throws SQLException {}

    /** What a query ends with whose rows are about to be changed. */
    default String forUpdate() {
        return " for update";
    }

    /** Adds a content with its number of uses, or uses to one that was added meanwhile: parameters id, uses, bytes. */
    default String addContent() {
        return "insert into holdfast_content (id, uses, bytes) values (?, ?, ?)"
                + " on conflict (id) do update set uses = holdfast_content.uses + excluded.uses";
    }

    /**
     * Whether the number of uses of a content is exact, and the content goes with its last use. Otherwise that number only grows, and
     * a content goes when {@link #dropContent()} finds that no document has it.
     */
    default boolean countsUses() {
        return true;
    }

    /** Removes a content that nobody uses: parameter id. */
    default String dropContent() {
        return "delete from holdfast_content where id = ? and uses <= 0";
    }

    /** Contents of so many bytes in all were written, and committed. */
    default void written(long bytes) {}

    /** Ends what it does besides, before the connections are closed. */
    default void close() {}

    /** How many bytes of a content are read at a time. */
    default int part() {
        return Integer.MAX_VALUE;
    }

    /** The first {@link #part()} of {@code c.bytes}. */
    default String firstPart() {
        return "c.bytes";
    }

    /** Whether somebody else changed the same rows at the same moment: once more from the start, and it is decided. */
    boolean isRace(SQLException e);

    /** What to say of an error that tells of a content too large for the server; empty if it does not. */
    default Optional<StoreException> tooLarge(String doing, SQLException e) {
        return Optional.empty();
    }
}
