package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.START;
import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.hold;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.jdbc.TextViewCases;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.test.machine.SettableClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("what people see in an SQLite file")
class SqliteViewsTest extends TextViewCases {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @Override
    protected RecordStore open() {
        file = directory.resolve("locks.db");
        return SqliteStore.open(file, SqliteConfig.shared().withTime(new SettableClock(START)));
    }

    @Override
    protected List<String> query(String sql) throws SQLException {
        return Locks.query(file, sql);
    }

    @Test
    @DisplayName("a clock that is ahead of the machine's counts too: the stored time ends a hold")
    void storedTimeCounts() throws SQLException {
        store.close();
        Instant ahead = LATER.plus(Duration.ofDays(1));
        store = SqliteStore.open(file, SqliteConfig.shared().withTime(new SettableClock(ahead)));
        put(store, held(key("over"), hold("a", START, LATER)));
        assertThat(query("select is_active from distributed_locks")).containsExactly("0");
    }

    @Test
    @DisplayName("the sqlite3 shell reads it all while the store is open")
    void readableInTheShell() throws Exception {
        put(store, held(key("a"), hold("web-3", START, LATER)));
        assertThat(shell("select lock_name, pod_id, is_active from distributed_locks"))
                .isEqualTo("a|web-3|1\n");
        assertThat(shell("select lock_name, process_id from database_lock")).isEqualTo("a|web-3\n");
        assertThat(shell("select name, owner from holdfast_lock")).isEqualTo("a|web-3\n");
    }

    private String shell(String sql) throws InterruptedException {
        try {
            Process shell = new ProcessBuilder("sqlite3", file.toString(), sql)
                    .redirectErrorStream(true)
                    .start();
            String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            shell.waitFor();
            return said;
        } catch (IOException e) {
            Assumptions.abort("there is no sqlite3 shell on this machine");
            return "";
        }
    }
}
