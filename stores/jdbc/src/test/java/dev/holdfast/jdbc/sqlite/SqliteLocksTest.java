package dev.holdfast.jdbc.sqlite;

import dev.holdfast.testkit.EngineContract;
import dev.holdfast.testkit.RandomComparison;
import dev.holdfast.testkit.fixture.StoreFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
@DisplayName("locks in SQLite")
class SqliteLocksTest extends EngineContract {
    @TempDir
    Path directory;

    @Override
    protected StoreFixture fixture() throws Exception {
        return new SqliteFixture(Files.createTempDirectory(directory, "locks"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("a random run gives what the rules give")
    void comparedWithTheRules(long seed) throws Exception {
        try (StoreFixture random = fixture()) {
            RandomComparison.run(random, seed, 150);
        }
    }
}
