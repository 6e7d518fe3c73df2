package dev.holdfast.jdbc.sqlite;

import static dev.holdfast.jdbc.Locks.held;
import static dev.holdfast.jdbc.Locks.key;
import static dev.holdfast.jdbc.Locks.put;
import static dev.holdfast.jdbc.Locks.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.jdbc.Locks;
import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteProcess;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Watchable;
import dev.holdfast.spi.Write;
import dev.holdfast.testkit.process.JavaProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("who may open an SQLite file")
class SqliteSharingTest {
    @TempDir
    Path directory;

    private Path file = Path.of("");

    @BeforeEach
    void newFile() {
        file = directory.resolve("locks.db");
    }

    private RecordStore shared() {
        return SqliteStore.open(file, SqliteConfig.shared().withBusyTimeout(Duration.ofMillis(50)));
    }

    private RecordStore exclusive(String label) {
        return SqliteStore.open(file, SqliteConfig.exclusive(label).withBusyTimeout(Duration.ofMillis(50)));
    }

    private static void assertRefused(Runnable open, String... said) {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(open::run)
                .withMessageContainingAll(said);
    }

    @Test
    @DisplayName("several stores of a process share it, and each goes on when another is closed")
    void sharedWithinTheProcess() {
        try (RecordStore one = shared()) {
            RecordStore two = shared();
            put(two, held(key("a")));
            two.close();
            two.close();
            assertThat(read(one, key("a")).holds()).hasSize(1);
            assertRefused(() -> exclusive("late"), "others have it open");
        }
        exclusive("alone").close();
    }

    @Test
    @DisplayName("several processes share it")
    void sharedAmongProcesses() throws IOException {
        try (RecordStore store =
                        SqliteStore.open(file, SqliteConfig.shared()); // as patient as usual: the other never rests
                JavaProcess other = SqliteProcess.start(file, "write")) {
            assertThat(other.next()).isEqualTo("open");
            String name = other.next();
            assertThat(read(store, key(name)).holds()).hasSize(1);
            put(store, held(key("mine")));
            other.next();
        }
    }

    @Test
    @DisplayName("in one process, a second server and any other store are refused, naming the first")
    void exclusiveWithinTheProcess() {
        String pid = "pid " + ProcessHandle.current().pid();
        try (RecordStore first = exclusive("serve :8080")) {
            assertRefused(() -> exclusive("serve :9090"), "'serve :8080'", pid, file.toString());
            assertRefused(this::shared, "'serve :8080'", pid, "stop it first");
            put(first, held(key("a")));
        }
        shared().close();
    }

    @Test
    @DisplayName("another process's server refuses all others, naming itself, until it ends")
    void exclusiveAmongProcesses() throws IOException {
        try (JavaProcess other = SqliteProcess.start(file, "exclusive")) {
            assertThat(other.next()).isEqualTo("open");
            assertRefused(this::shared, "'the other server'", "pid " + other.pid(), "since 20");
            assertRefused(() -> exclusive("me"), "'the other server'", "pid " + other.pid());
            other.type("").exit();
        }
        assertThat(directory.resolve("locks.db.owner")).doesNotExist();
        exclusive("me").close();
    }

    @Test
    @DisplayName("a server that was killed is in nobody's way, though its name still stands there")
    void killedServer() throws IOException {
        try (JavaProcess other = SqliteProcess.start(file, "exclusive")) {
            assertThat(other.next()).isEqualTo("open");
            other.kill();
        }
        assertThat(directory.resolve("locks.db.owner")).exists();
        shared().close();
        try (RecordStore store = exclusive("the next")) {
            assertThat(Files.readString(directory.resolve("locks.db.owner"))).contains("'the next'");
            put(store, held(key("a")));
        }
    }

    @Test
    @DisplayName("a server is refused while another process shares the file, without blaming the last server")
    void sharedElsewhere() throws IOException {
        try (JavaProcess other = SqliteProcess.start(file, "shared")) {
            assertThat(other.next()).isEqualTo("open");
            Files.writeString(directory.resolve("locks.db.owner"), "'long gone' (pid 1)");
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> exclusive("me"))
                    .withMessageContaining("others have it open")
                    .withMessageNotContaining("long gone");
            shared().close();
        }
        exclusive("me").close();
    }

    @Test
    @DisplayName("looking who has the file does not let go of it")
    void refusalKeepsTheLock() throws IOException {
        try (RecordStore mine = exclusive("mine")) {
            assertRefused(this::shared, "'mine'");
            assertRefused(() -> exclusive("second"), "'mine'");
            try (JavaProcess other = SqliteProcess.start(file, "shared")) {
                assertThat(other.next()).startsWith("StoreUnusableException").contains("'mine'");
            }
            put(mine, held(key("a")));
        }
    }

    @Test
    @DisplayName("a server that starts waits a little for one that is about to close")
    void waitsForTheLast() {
        RecordStore last = exclusive("last");
        Thread closing = new Thread(() -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            last.close();
        });
        closing.start();
        SqliteStore.open(file, SqliteConfig.exclusive("next").withBusyTimeout(Duration.ofSeconds(20)))
                .close();
    }

    @Test
    @DisplayName("one file is one file, whatever way leads to it")
    void linksLeadToTheSameFile() throws IOException {
        Path link = directory.resolve("link.db");
        exclusive("first").close();
        Files.createSymbolicLink(link, file);
        Path around = directory.resolve("..").resolve(directory.getFileName()).resolve("locks.db");
        try (RecordStore first = exclusive("first")) {
            for (Path way : List.of(link, around)) {
                assertRefused(() -> SqliteStore.open(way, SqliteConfig.shared()), "'first'");
            }
            put(first, held(key("a")));
        }
    }

    @Test
    @DisplayName("a write marked so wakes watchers of the same file in this process only")
    void hints() {
        try (RecordStore one = shared();
                RecordStore two = shared();
                RecordStore elsewhere = SqliteStore.open(directory.resolve("else.db"), SqliteConfig.shared())) {
            List<RecordKey> told = new ArrayList<>();
            Watchable.Watch watch = ((Watchable) one).watch(new EngineId("one"), hint -> told.add(hint.key()));
            put(two, held(key("unmarked")));
            for (RecordStore store : List.of(two, elsewhere)) {
                var record = held(key("marked"));
                Locks.write(store, Write.create(record).withWake(Watchable.Wake.EVERYBODY));
            }
            assertThat(told).containsExactly(key("marked"));
            watch.close();
        }
    }
}
