package dev.holdfast.jdbc.table;

import dev.holdfast.jdbc.connection.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The tables and views of locks in one database. All is done on a session that commits by itself. */
public abstract class LockSchema {
    /** Where it is, for messages. */
    protected final String place;

    private final String kind;
    private final String elsewhere;

    /**
     * One in this place.
     *
     * @param kind what its scripts begin with, such as {@code sqlite}
     * @param elsewhere what to do if a table of our name is somebody else's
     */
    protected LockSchema(String kind, String place, String elsewhere) {
        this.kind = kind;
        this.place = place;
        this.elsewhere = elsewhere;
    }

    /** What is changed together. */
    public interface Changes {
        void make() throws SQLException;
    }

    /** Does what is missing. */
    public abstract void ensure(Session session) throws SQLException;

    /** Makes anew what is missing, and says what that means; nothing if nothing was. */
    public abstract List<String> repair(Session session) throws SQLException;

    /** Takes away what is ours, all of it or a part, and nothing else. */
    public abstract void drop(Session session) throws SQLException;

    /** What there is of our tables. */
    protected abstract OwnTables found(Session session) throws SQLException;

    /** The same; refused if one of them is somebody else's. */
    protected OwnTables look(Session session) throws SQLException {
        OwnTables found = found(session);
        found.refuseForeign(elsewhere);
        return found;
    }

    /** Whether a table, a view or an index has this name. */
    protected abstract boolean isTaken(Session session, String name) throws SQLException;

    /** Those of these names that are taken. */
    protected List<String> taken(Session session, List<String> names) throws SQLException {
        List<String> taken = new ArrayList<>();
        for (String name : names) {
            if (isTaken(session, name)) {
                taken.add(name);
            }
        }
        return taken;
    }

    protected abstract boolean isOurView(Session session, String view) throws SQLException;

    /** The statements that make tables, views and indexes. What the tables say of themselves is written when they are there. */
    protected List<String> statements() {
        return SqlScript.statements(SqlScript.text(kind + "-schema.sql")).stream()
                .filter(statement -> !statement.startsWith("insert"))
                .toList();
    }

    private List<String> views() {
        return statements().stream()
                .flatMap(statement -> SqlScript.view(statement).stream())
                .toList();
    }

    /** Names of our views that something else has. */
    public List<String> hidden(Session session) throws SQLException {
        List<String> hidden = new ArrayList<>();
        for (String view : taken(session, views())) {
            if (isForeign(session, view)) {
                hidden.add(view);
            }
        }
        return hidden;
    }

    /** Whether what has the name of a view is certainly not ours. */
    protected boolean isForeign(Session session, String view) throws SQLException {
        return !isOurView(session, view);
    }

    /** Names of our views that are free. */
    protected List<String> missingViews(Session session) throws SQLException {
        List<String> missing = new ArrayList<>(views());
        missing.removeAll(taken(session, missing));
        return missing;
    }

    /** Runs the script that takes everything away, but for views that are not ours. */
    protected void dropOurs(Session session) throws SQLException {
        for (String statement : SqlScript.statements(SqlScript.text(kind + "-drop.sql"))) {
            Optional<String> view = SqlScript.view(statement);
            if (view.isEmpty() || isOurView(session, view.get())) {
                session.execute(statement);
            }
        }
    }

    /**
     * What to say of tokens of before that the clock has not reached: the next ones would not be above them.
     *
     * @param tokens where each table has its tokens
     * @param now the server's time in microseconds
     */
    protected static Optional<String> tokensAhead(
            Session session, OwnTables found, Map<String, String> tokens, String now) throws SQLException {
        String sources = tokens.entrySet().stream()
                .filter(token -> found.there().containsKey(token.getKey()))
                .map(token -> "select max(" + token.getValue() + ") as token from " + token.getKey())
                .collect(Collectors.joining(" union all "));
        return sources.isEmpty()
                ? Optional.empty()
                : session.first(
                                "select max(token) - " + now + " from (" + sources + ") as tokens",
                                row -> row.getLong(1))
                        .flatMap(OwnTables::ahead);
    }

    /** A number the tables say of themselves; 0 if they do not. */
    protected static int number(Optional<String> stored) {
        try {
            return stored.map(Integer::parseInt).orElse(0);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
