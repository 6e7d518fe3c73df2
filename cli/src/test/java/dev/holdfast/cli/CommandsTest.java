package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return Main.commandLine(args)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    @DisplayName("version says what is running")
    void version() {
        assertThat(run("version")).isZero();
        assertThat(out.toString()).contains("holdfast ").contains("java ");
    }

    @Test
    @DisplayName("schema print shows the tables and views, and the way down")
    void schema() {
        assertThat(run("schema", "print")).isZero();
        assertThat(out.toString()).contains("holdfast_lock", "database_lock", "distributed_locks");
        assertThat(run("schema", "print", "--drop")).isZero();
        assertThat(out.toString()).contains("drop view");
    }

    @Test
    @DisplayName("schema print shows the SQL of each database, and says which it knows")
    void schemaOfEach() {
        assertThat(run("schema", "print", "--store", "postgresql:")).isZero();
        assertThat(out.toString()).contains("timestamptz");
        assertThat(run("schema", "print", "--store", "mariadb:")).isZero();
        assertThat(out.toString()).contains("datetime(6)");
        assertThat(run("schema", "print", "--store", "dynamodb://eu-west-1/mine"))
                .isZero();
        assertThat(out.toString()).contains("aws dynamodb create-table --region eu-west-1", "aws_dynamodb_table");
        assertThat(out.toString()).contains("\n# aws dynamodb update-table");
        assertThat(run("schema", "print", "--index", "--store", "dynamodb://eu-west-1/mine"))
                .isZero();
        assertThat(out.toString()).contains("\naws dynamodb update-table", "holdfast-namespace");
        assertThat(run("schema", "print", "--index", "--store", "postgresql:")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--index is for DynamoDB");
        assertThat(run("schema", "print", "--store", "oracle:")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("oracle:").contains("postgresql:");
        assertThat(run("schema", "drop", "--store", "postgresql:", "--yes")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("schema", "drop", "--store", "dynamodb:", "--yes")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("schema", "migrate", "--store", "dynamodb:")).isEqualTo(ExitCodes.USAGE);
    }

    @Test
    @DisplayName("schema drop wants a database, not only its kind, however that is written")
    void schemaOfNothing() {
        for (String kind : List.of("postgresql", "postgres", "mariadb:", "mysql", "sqlite")) {
            assertThat(run("schema", "drop", "--yes", "--store", kind)).isEqualTo(ExitCodes.USAGE);
        }
        assertThat(err.toString().lines()).hasSize(5).allMatch(line -> line.contains("not only its kind"));
    }

    @Test
    @DisplayName("schema migrate makes the tables, schema drop takes them away once confirmed")
    void migrateAndDrop(@TempDir Path directory) throws Exception {
        String store = "sqlite:" + directory.resolve("locks.db");
        assertThat(run("schema", "migrate", "--store", store)).isZero();
        assertThat(out.toString()).contains("is current");
        assertThat(run("schema", "drop", "--store", store)).isEqualTo(ExitCodes.NOT_CONFIRMED);
        assertThat(tables(store)).contains("holdfast_lock", "distributed_locks");
        assertThat(run("schema", "drop", "--store", store, "--yes")).isZero();
        assertThat(tables(store)).isEmpty();
        assertThat(run("doctor", "--store", store)).isZero();
    }

    private static List<String> tables(String store) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:" + store);
                ResultSet row = connection.createStatement().executeQuery("select name from sqlite_master")) {
            List<String> names = new ArrayList<>();
            while (row.next()) {
                names.add(row.getString(1));
            }
            return names;
        }
    }

    @Test
    @DisplayName("commands for work on Holdfast itself say that they are in a checkout")
    void checkoutOnly() {
        assertThat(run("simulate", "--seeds", "10")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("./holdfast simulate");
        assertThat(run("bench", "core", "--help")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("./holdfast bench");
        assertThat(run("soak", "--minutes", "1")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("./holdfast soak");
    }

    @Test
    @DisplayName("nonsense is a usage error")
    void nonsense() {
        assertThat(run("frobnicate")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("frobnicate", "Usage: holdfast", "Help: holdfast --help");
    }
}
