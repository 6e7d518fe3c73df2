package dev.holdfast.jdbc.documents;

import dev.holdfast.jdbc.connection.Session;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.spi.StoreUnusableException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;

/** The two tables of documents: made when they are missing, and told from others of their names by their columns. */
public record DocumentTables(String place) {
    private static final Map<String, String> COLUMNS =
            Map.of("holdfast_document", DocumentRows.COLUMNS + ", leaf", "holdfast_content", "id, uses, bytes");

    /**
     * Whether both are there; reads only, on a session that commits by itself.
     *
     * @throws StoreUnusableException if something else has one of the names
     */
    public boolean areThere(Session session) {
        boolean all = true;
        for (Map.Entry<String, String> table : COLUMNS.entrySet()) {
            boolean there = canSelect(session, "1", table.getKey());
            if (there && !canSelect(session, table.getValue(), table.getKey())) {
                throw new StoreUnusableException(
                        place + " has a table '" + table.getKey()
                                + "' that is not Holdfast's, or one of a newer Holdfast."
                                + " It was not touched; rename that table, or keep the documents elsewhere",
                        null);
            }
            all &= there;
        }
        return all;
    }

    private static boolean canSelect(Session session, String columns, String table) {
        String sql = "select " + columns + " from " + table + " where 1 = 0";
        try (var statement = session.connection().createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.getMetaData().getColumnCount() > 0;
        } catch (SQLException e) {
            return false; // whatever else is wrong shows when the tables are made, or used
        }
    }

    /** Runs the statements of a script, which do nothing where they were run before. */
    public static void run(Session session, String script) throws SQLException {
        for (String statement : SqlScript.statements(SqlScript.text(script))) {
            session.execute(statement);
        }
    }
}
