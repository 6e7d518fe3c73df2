package dev.holdfast.jdbc.postgres;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresConfig;
import dev.holdfast.jdbc.PostgresStore;
import dev.holdfast.jdbc.sqlite.SqliteDocumentsPlaceTest;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.servers.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As docs/OPERATIONS.md has it. On the oldest server: pg_dump works with servers as old as itself, or older. */
@DisplayName("pg_dump of a store in use")
class PostgresDumpTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName("is a store again once psql has loaded it into an empty database, documents included")
    void dumpAndLoad() throws Exception {
        PostgresServer server = Postgres.version(Postgres.OLDEST);
        String from = server.url(server.freshDatabase());
        String to = server.url(server.freshDatabase());
        Path file = directory.resolve("holdfast.sql");
        LockRecord held;
        try (RecordStore store = PostgresStore.open(from, PostgresConfig.DEFAULT);
                DocumentStore documents = DocumentStores.open(from)) {
            held = put(store, held(key("nightly")));
            SqliteDocumentsPlaceTest.write(documents, "stacks/shop/production/state.json");
            run(List.of(
                    "pg_dump",
                    "--table=holdfast_*",
                    "--table=database_lock",
                    "--table=distributed_locks",
                    "--no-owner",
                    "--file=" + file,
                    from));
        }
        run(List.of("psql", "--no-psqlrc", "-v", "ON_ERROR_STOP=1", "-f", file.toString(), to));
        try (RecordStore store = PostgresStore.open(to, PostgresConfig.DEFAULT);
                DocumentStore documents = DocumentStores.open(to)) {
            assertThat(read(store, key("nightly"))).isEqualTo(held);
            assertThat(documents.get("stacks/shop/production/state.json")).isPresent();
            put(store, held(key("another")));
        }
        assertThat(Postgres.query(to, "select lock_name from database_lock order by 1"))
                .containsExactly("another", "nightly");
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "said", ".txt");
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
        } catch (IOException e) {
            Assumptions.abort("there is no program '" + command.get(0) + "' here");
            return;
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        String text = Files.readString(said);
        Assumptions.assumeFalse(text.contains("server version mismatch"), "pg_dump here is older than the server");
        assertThat(process.exitValue()).as(text).isZero();
    }
}
