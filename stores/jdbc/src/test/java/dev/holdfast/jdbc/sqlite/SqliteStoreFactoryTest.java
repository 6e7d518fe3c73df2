package dev.holdfast.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.jdbc.SqliteConfig;
import dev.holdfast.jdbc.SqliteStore;
import dev.holdfast.jdbc.SqliteStoreFactory;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("sqlite: URLs")
class SqliteStoreFactoryTest {
    @TempDir
    Path directory;

    private final SqliteStoreFactory factory = new SqliteStoreFactory();

    @Test
    @DisplayName("are found on the class path")
    void found() {
        assertThat(ServiceLoader.load(StoreFactory.class)).hasAtLeastOneElementOfType(SqliteStoreFactory.class);
        assertThat(factory.accepts("sqlite:x.db")).isTrue();
        assertThat(factory.accepts("SQLite:x.db")).isTrue();
        assertThat(factory.accepts("postgresql://x")).isFalse();
        assertThat(factory.accepts(factory.example())).isTrue();
    }

    @Test
    @DisplayName("open a file shared, unless they say mode=exclusive")
    void modes() {
        String url = "sqlite:" + directory.resolve("locks.db");
        try (RecordStore one = factory.open(url);
                RecordStore two = factory.open(url + "?mode=shared")) {
            assertThat(one.traits().exclusive()).isFalse();
            assertThat(two.traits().exclusive()).isFalse();
            assertThat(one.traits().pollInterval()).isEqualTo(Duration.ofMillis(50));
        }
        try (RecordStore alone = factory.open(url + "?mode=exclusive")) {
            assertThat(alone.traits().exclusive()).isTrue();
            assertThat(alone.traits().name()).isEqualTo("sqlite");
            assertThat(alone.traits().blocking()).isTrue();
            assertThat(alone.traits().writers()).isEqualTo(1);
            assertThat(alone.traits().maxBatch()).isEqualTo(512);
        }
    }

    @Test
    @DisplayName("take the path as it stands, spaces and percent signs too")
    void oddPaths() {
        Path odd = directory.resolve("my locks 100%25 #1 ü&.db");
        factory.open("sqlite:" + odd).close();
        assertThat(odd).exists();
        Path question = directory.resolve("really?.db");
        SqliteStore.open(question, SqliteConfig.shared()).close();
        assertThat(question).exists();
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("are refused by the part that is wrong")
    @CsvSource({
        "sqlite:x.db?mdoe=exclusive, 'mdoe'",
        "sqlite:x.db?mode=exclusive&timeout=3, 'timeout'",
        "sqlite:x.db?mode=alone, 'alone'",
        "sqlite:x.db?mode, 'mode'",
        "sqlite:x.db?, ''",
        "sqlite:, path",
        "sqlite:?mode=shared, path",
        "sqlite::memory:, memory:",
        "sqlite:///var/locks.db, ambiguous"
    })
    void refused(String url, String part) {
        assertThatIllegalArgumentException().isThrownBy(() -> factory.open(url)).withMessageContaining(part);
    }

    @Test
    @DisplayName("a busy timeout is bounded")
    void busyTimeout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqliteConfig.shared().withBusyTimeout(Duration.ZERO))
                .withMessageContaining("PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqliteConfig.shared().withBusyTimeout(Duration.ofHours(1)))
                .withMessageContaining("PT1H");
    }
}
