package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import dev.holdfast.jdbc.mariadb.MariadbDatabase;
import dev.holdfast.jdbc.postgres.PostgresDatabase;
import dev.holdfast.jdbc.sqlite.SqliteDatabase;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.jdbc.table.SqlTables;
import dev.holdfast.spi.ConnectWait;
import java.util.List;
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
    private final @Nullable String url;

    private SqlSchema(String createSql, String dropSql, @Nullable String url) {
        this.createSql = createSql;
        this.dropSql = dropSql;
        this.url = url;
    }

    /**
     * The schema for a store's URL. A scheme alone ({@code postgresql:}) is enough to see it.
     *
     * @throws IllegalArgumentException if no SQL store understands the URL
     */
    public static SqlSchema of(String given) {
        String url = ConnectWait.without(given);
        String lower = url.toLowerCase(Locale.ROOT);
        if (names(lower, "sqlite") || new SqliteStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(SqliteStore.schemaSql(), "sqlite-documents.sql"),
                    withDocuments(SqliteStore.dropSql(), DROP_DOCUMENTS),
                    database(url));
        }
        if (names(lower, "postgresql") || names(lower, "postgres") || new PostgresStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(PostgresStore.schemaSql(), "postgresql-documents.sql"),
                    withDocuments(PostgresStore.dropSql(), DROP_DOCUMENTS),
                    database(url));
        }
        if (names(lower, "mariadb") || names(lower, "mysql") || new MariadbStoreFactory().accepts(url)) {
            return new SqlSchema(
                    withDocuments(MariadbStore.schemaSql(), "mariadb-documents.sql"),
                    withDocuments(MariadbStore.dropSql(), DROP_DOCUMENTS),
                    database(url));
        }
        throw new IllegalArgumentException("No SQL store understands '" + Stores.masked(url)
                + "'; known are sqlite:, postgresql: and mariadb: (or mysql:)");
    }

    private static String withDocuments(String locks, String documents) {
        return locks + "\n" + SqlScript.text(documents);
    }

    /** The tables of the database with this URL. */
    static SqlTables tables(String url) {
        if (new SqliteStoreFactory().accepts(url)) {
            return new SqliteDatabase(
                    SqliteStoreFactory.file(url), SqliteConfig.shared().settings());
        }
        return new PostgresStoreFactory().accepts(url)
                ? PostgresDatabase.at(url, PostgresConfig.DEFAULT.settings())
                : MariadbDatabase.at(url, MariadbConfig.DEFAULT.settings());
    }

    /** The database that is named; nothing if only its kind is. */
    private static @Nullable String database(String url) {
        return url.endsWith(":") || url.indexOf(':') < 0 ? null : url;
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
        SqlTables tables = tables();
        tables.dropLocks();
        tables.dropDocuments();
    }

    /**
     * Makes anew what is missing of the tables, views and indexes, after a table was lost. What was in it stays lost.
     *
     * @return what was missing and what that means, a sentence each; empty if nothing was
     * @throws IllegalArgumentException if the URL names no database
     * @throws dev.holdfast.spi.StoreException if what is there is not ours, is in use, or cannot be repaired
     */
    public List<String> repair() {
        return tables().repair();
    }

    /**
     * The names of Holdfast's views that are not there because a table or view of somebody else has them.
     *
     * @throws IllegalArgumentException if the URL names no database
     * @throws dev.holdfast.spi.StoreException if it cannot be looked at
     */
    public List<String> hiddenViews() {
        return tables().hiddenViews();
    }

    private SqlTables tables() {
        if (url == null) {
            throw new IllegalArgumentException("name the database, not only its kind");
        }
        return tables(url);
    }
}
