package dev.holdfast.jdbc.connection;

import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.StoreUrls;
import java.sql.SQLException;

/** What the errors of a database server mean, which many processes use at once. */
public abstract class ServerFailures implements SqlFailures {
    protected static final Meaning GIVEN_UP = Meaning.passing("The server cancelled a statement of ours in ", "");
    protected static final Meaning READ_ONLY = Meaning.passing("The server is read-only: ", "; connect to the primary");
    protected static final Meaning EXHAUSTED = Meaning.passing(
            "The server is out of connections, memory or disk: ",
            "; work continues by itself when there are enough of them again");
    protected static final Meaning NO_DATABASE =
            Meaning.lasting("There is no such database: ", "; create it, or correct the name");
    protected static final Meaning OTHER_TABLES =
            Meaning.lasting("The tables of Holdfast are missing or changed in ", "; restore a backup");
    protected static final Meaning UNREACHABLE =
            Meaning.passing("Cannot use ", "; check that the server runs, its address, and the network");

    private final String place;

    protected ServerFailures(String place) {
        this.place = place;
    }

    /** What an error means, in words around the place where it happened; it {@code passes} if it may be gone the next time. */
    protected record Meaning(boolean passes, String before, String after) {
        public static Meaning passing(String before, String after) {
            return new Meaning(true, before, after);
        }

        public static Meaning lasting(String before, String after) {
            return new Meaning(false, before, after);
        }

        /** Another transaction has what we want to write; this finds it. */
        public static Meaning locked(String query) {
            return passing("Another transaction has locked Holdfast's rows or tables in ", "; find it with: " + query);
        }
    }

    protected abstract Meaning meaning(SQLException e);

    @Override
    public final String place() {
        return place;
    }

    @Override
    public final StoreException of(String doing, SQLException e) {
        Meaning meaning = meaning(e);
        // The driver repeats a URL it cannot read, which may have a password in it.
        String said = StoreUrls.maskedIn(
                String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        String message = meaning.before() + place + " (while " + doing + ": " + said + ")" + meaning.after();
        return meaning.passes() ? new StoreUnavailableException(message, e) : new StoreUnusableException(message, e);
    }

    /** Its SQL state; empty if it has none. */
    public static String state(SQLException e) {
        String state = e.getSQLState();
        return state == null ? "" : state;
    }

    /** Whether the connection can be used on after it. */
    public abstract boolean survives(SQLException e);

    /** Whether somebody else's transaction has locked a row. */
    public abstract boolean isLocked(SQLException e);
}
