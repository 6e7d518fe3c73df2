package dev.holdfast.jdbc.fence;

import dev.holdfast.jdbc.table.LockRows;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The rows of {@code holdfast_fence} of one lock. No path ends in {@code /}, so such a row can be the mark of a part. */
record FenceRows(Connection connection, RecordKey key) {
    private static final String OF_LOCK = " from holdfast_fence where namespace = ? and name = ? ";

    /** The parts that contain this one, from the root on. */
    static List<String> above(LockPath path) {
        List<String> above = new ArrayList<>();
        if (!path.isWhole()) {
            above.add("");
        }
        for (int slash = path.value().indexOf('/');
                slash >= 0;
                slash = path.value().indexOf('/', slash + 1)) {
            above.add(path.value().substring(0, slash));
        }
        return above;
    }

    /** The second lock of a part, and its mark. */
    static String room(String path) {
        return path + "/";
    }

    /** Those of these parts that are marked. */
    SortedSet<String> marked(Collection<String> paths) throws SQLException {
        SortedSet<String> marked = new TreeSet<>();
        if (paths.isEmpty()) {
            return marked;
        }
        try (PreparedStatement statement =
                connection.prepareStatement("select path" + OF_LOCK + "and path in (" + places(paths.size()) + ")")) {
            LockRows.setKey(statement, 1, key);
            int i = 3;
            for (String path : paths) {
                statement.setString(i++, room(path));
            }
            try (ResultSet row = statement.executeQuery()) {
                while (row.next()) {
                    String mark = row.getString(1);
                    marked.add(mark.substring(0, mark.length() - 1));
                }
            }
        }
        return marked;
    }

    void mark(FenceDialect dialect, String path) throws SQLException {
        raise(dialect, room(path), 0);
    }

    void raise(FenceDialect dialect, LockPath path, Token token) throws SQLException {
        raise(dialect, path.value(), token.value());
    }

    private void raise(FenceDialect dialect, String path, long token) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.raise())) {
            LockRows.setKey(statement, 1, key);
            statement.setString(3, path);
            statement.setLong(4, token);
            statement.executeUpdate();
        }
    }

    /** The highest token above this one on the part, what contains it, and what it contains. */
    Optional<Token> above(Token token, LockPath path) throws SQLException {
        List<String> above = above(path);
        String overlapping = path.isWhole()
                ? ""
                : " and (path = ? or path in (" + places(above.size()) + ") or (path >= ? and path < ?))";
        try (PreparedStatement statement =
                connection.prepareStatement("select max(token)" + OF_LOCK + "and token > ?" + overlapping)) {
            LockRows.setKey(statement, 1, key);
            statement.setLong(3, token.value());
            if (!path.isWhole()) {
                int i = 4;
                statement.setString(i++, path.value());
                for (String one : above) {
                    statement.setString(i++, one);
                }
                statement.setString(i++, path.value() + "/");
                statement.setString(i, path.value() + "0"); // the character after '/'
            }
            try (ResultSet row = statement.executeQuery()) {
                long found = row.next() ? row.getLong(1) : 0;
                return found == 0 ? Optional.empty() : Optional.of(new Token(found));
            }
        }
    }

    private static String places(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }
}
