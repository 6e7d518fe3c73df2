package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import dev.holdfast.jdbc.mariadb.MariadbDatabase;
import dev.holdfast.jdbc.postgres.PostgresDatabase;
import dev.holdfast.jdbc.sqlite.SqliteDatabase;
import dev.holdfast.jdbc.sqlite.SqliteDocumentDialect;
import dev.holdfast.jdbc.table.SqlScript;
import dev.holdfast.jdbc.table.SqlTables;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The tables and views of a store in an SQL database, for tools. A store makes them by itself when it is opened; this is for
 * those who want to see them first, have them made by somebody else, or take them away.
 */
public final class SqlSchema {
    /** A database by the schemes that name it alone, what opens it, and how its scripts begin. */
    private record Kind(List<String> schemes, StoreFactory factory, String script) {}

    private static final List<Kind> KINDS = List.of(
            new Kind(List.of("sqlite"), new SqliteStoreFactory(), "sqlite"),
            new Kind(List.of("postgresql", "postgres"), new PostgresStoreFactory(), "postgresql"),
            new Kind(List.of("mariadb", "mysql"), new MariadbStoreFactory(), "mariadb"));

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
        String scheme = lower.endsWith(":") ? lower.substring(0, lower.length() - 1) : lower;
        for (Kind kind : KINDS) {
            boolean alone = kind.schemes().contains(scheme);
            if (alone || kind.factory().accepts(url)) {
                boolean named = !alone && !lower.endsWith(":");
                String documents = SqlScript.text(kind.script() + "-documents.sql");
                String noDocuments = SqlScript.text("documents-drop.sql");
                if (kind.script().equals("sqlite")) {
                    String file = named ? documentsFile(SqliteStoreFactory.file(url)) : "holdfast-documents.db";
                    documents = inFile(file, documents);
                    noDocuments = inFile(file, noDocuments);
                }
                String create = SqlScript.text(kind.script() + "-schema.sql") + "\n" + documents;
                String drop = SqlScript.text(kind.script() + "-drop.sql") + "\n" + noDocuments;
                return new SqlSchema(create, drop, named ? url : null);
            }
        }
        throw new IllegalArgumentException("No SQL store understands '" + Stores.masked(url)
                + "'; use sqlite:, postgresql: or mariadb: (or mysql:)");
    }

    /** As the URL names the directory, so that who runs the script where the URL means something finds the same one. */
    private static String documentsFile(Path locks) {
        return locks.resolveSibling(SqliteDocumentDialect.nameBeside(locks)).toString();
    }

    /** The same statements for a file that is attached: one script, run on the file of the locks, is about both. */
    private static String inFile(String file, String script) {
        return "attach database '" + file.replace("'", "''") + "' as documents;\n\n"
                + script.replace(" holdfast_document (\n", " documents.holdfast_document (\n")
                        .replace(" holdfast_content (\n", " documents.holdfast_content (\n")
                        .replaceAll(" exists (holdfast_document_\\w+) ", " exists documents.$1 ")
                        .replace("drop table if exists holdfast_", "drop table if exists documents.holdfast_")
                + "\ndetach database documents;\n";
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

    public String createSql() {
        return createSql;
    }

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
