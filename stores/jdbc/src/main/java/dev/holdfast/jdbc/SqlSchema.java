package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tables and views of a store in an SQL database, for tools. A store makes them by itself when it is opened; this is for
 * those who want to see them first, have them made by somebody else, or take them away.
 */
public final class SqlSchema {
    private static final String DROP_DOCUMENTS = "documents-drop.sql";

    private final String createSql;
    private final String dropSql;
    private final @Nullable Runnable drop;

    private SqlSchema(String createSql, String dropSql, @Nullable Runnable drop) {
        this.createSql = createSql;
        this.dropSql = dropSql;
        this.drop = drop;
    }

    /**
     * The schema for a store's URL. A scheme alone ({@code postgresql:}) is enough to see it.
     *
     * @throws IllegalArgumentException if no SQL store understands the URL
     */
    public static SqlSchema of(String url) {
        String lower = url.toLowerCase(Locale.ROOT);
        if (names(lower, "sqlite") || new SqliteStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(SqliteStore.schemaSql(), "sqlite-documents.sql"),
                    withDocuments(SqliteStore.dropSql(), DROP_DOCUMENTS),
                    names(lower, "sqlite") ? null : () -> dropSqlite(SqliteStoreFactory.file(url)));
        }
        if (names(lower, "postgresql") || names(lower, "postgres") || new PostgresStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(PostgresStore.schemaSql(), "postgresql-documents.sql"),
                    withDocuments(PostgresStore.dropSql(), DROP_DOCUMENTS),
                    lower.endsWith(":") ? null : () -> dropPostgres(url));
        }
        if (names(lower, "mariadb") || names(lower, "mysql") || new MariadbStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(MariadbStore.schemaSql(), "mariadb-documents.sql"),
                    withDocuments(MariadbStore.dropSql(), DROP_DOCUMENTS),
                    lower.endsWith(":") ? null : () -> dropMariadb(url));
        }
        throw new IllegalArgumentException("No SQL store understands '" + Stores.masked(url)
                + "'; known are sqlite:, postgresql: and mariadb: (or mysql:)");
    }

    private static String withDocuments(String locks, String documents) {
        return locks + "\n" + SqlScript.text(documents);
    }

    private static void dropSqlite(Path file) {
        SqliteStore.drop(file, SqliteConfig.shared());
        SqliteDocuments.drop(file);
    }

    private static void dropPostgres(String url) {
        PostgresStore.drop(url, PostgresConfig.DEFAULT);
        PostgresDocuments.drop(url, PostgresConfig.DEFAULT);
    }

    private static void dropMariadb(String url) {
        MariadbStore.drop(url, MariadbConfig.DEFAULT);
        MariadbDocuments.drop(url, MariadbConfig.DEFAULT);
    }

    private static boolean names(String url, String scheme) {
        return url.equals(scheme) || url.equals(scheme + ":");
    }

    /** The statements that create what is kept. */
    public String createSql() {
        return createSql;
    }

    /** The statements that remove it all. */
    public String dropSql() {
        return dropSql;
    }

    /**
     * Takes it all away: locks, history, the memory of the last tokens, and documents. What is not ours stays.
     *
     * @throws IllegalArgumentException if the URL names no database
     * @throws dev.holdfast.spi.StoreException if what is there is not ours, is in use, or cannot be removed
     */
    public void drop() {
        if (drop == null) {
            throw new IllegalArgumentException("name the database, not only its kind");
        }
        drop.run();
    }
}
