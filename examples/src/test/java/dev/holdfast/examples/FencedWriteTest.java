package dev.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FencedWriteTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @EnumSource(Databases.class)
    @DisplayName("a process that was stopped while it held the lock cannot overwrite what the next holder has written")
    void thePausedIsRefused(Databases kind) {
        Database database = kind.fresh(directory);
        // It thinks for longer than the signal takes to come, and has thought enough when it goes on.
        Map<String, String> thinker = Map.of("DATABASE_URL", database.url(), "LEASE", "PT2S", "THINKS", "PT4S");
        try (JavaProcess paused = Pod.start(FencedWrite.class, "paused", thinker, "10")) {
            paused.awaitLine(paused.owner() + " read 100");
            paused.signal("STOP");

            addFifty(database);

            paused.signal("CONT");
            paused.awaitLine(paused.owner() + " was refused: ");
            assertThat(paused.exit()).isZero();
            assertThat(Databases.rows(database, "select balance from account")).containsExactly("150");
        }
    }

    @ParameterizedTest
    @EnumSource(value = Databases.class, names = "SQLITE")
    @DisplayName("the same without signals: a process that sleeps for longer than its lease")
    void theSleeperIsRefused(Databases kind) {
        Database database = kind.fresh(directory);
        Map<String, String> environment = Map.of("DATABASE_URL", database.url(), "LEASE", "PT2S");
        try (JavaProcess sleeper = Pod.start(FencedWrite.class, "sleeper", environment, "10", "asleep")) {
            sleeper.awaitLine(sleeper.owner() + " read 100");

            addFifty(database);

            sleeper.awaitLine(sleeper.owner() + " was refused: ");
            assertThat(sleeper.exit()).isZero();
            assertThat(Databases.rows(database, "select balance from account")).containsExactly("150");
        }
    }

    /** Another process, which gets the lock when the lease of the first has expired. */
    private static void addFifty(Database database) {
        Map<String, String> environment = Map.of("DATABASE_URL", database.url());
        try (JavaProcess other = Pod.start(FencedWrite.class, "other", environment, "50")) {
            assertThat(other.exit()).isZero();
            other.awaitLine(other.owner() + " read 100");
            other.awaitLine(other.owner() + " wrote 150");
        }
    }
}
