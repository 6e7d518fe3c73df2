package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnusableException;
import java.net.UnknownHostException;
import java.sql.SQLException;

/** What the errors of a database mean. */
public interface SqlFailures {
    /** Where the data is, for messages; without secrets. */
    String place();

    /** What to look at if a connection stays busy, for messages. */
    default String remedy() {
        return "check that the server runs, and the network";
    }

    /** What to say of an error after which nothing was changed. {@code doing} completes "while ...". */
    StoreException of(String doing, SQLException e);

    /**
     * The same when the store is being opened: a host that does not exist is then a mistake in the URL. Later it is a trouble of the
     * network that passes, and so is a name service that does not answer.
     */
    default StoreException opening(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnknownHostException
                    && !String.valueOf(cause.getMessage()).contains("Temporary failure")) {
                return new StoreUnusableException(
                        "There is no host with the name in " + place() + "; correct the URL, or the name service", e);
            }
        }
        return of("opening it", e);
    }

    /** Whether a statement or commit that failed so may nevertheless have happened, now or after the next crash. */
    boolean mayHaveCommitted(SQLException e);
}
