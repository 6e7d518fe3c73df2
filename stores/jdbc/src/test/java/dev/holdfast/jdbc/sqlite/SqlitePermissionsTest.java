package dev.holdfast.jdbc.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.LockClient;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.model.LockKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("files of a SQLite store, with a umask that lets everybody read")
final class SqlitePermissionsTest {
    @TempDir
    Path directory;

    private static List<Path> files(Path place) throws IOException {
        try (Stream<Path> all = Files.list(place)) {
            return all.toList();
        }
    }

    private static String of(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    private void assertClosed(Path place, String... names) throws IOException {
        assertThat(files(place)).extracting(it -> it.getFileName().toString()).contains(names);
        assertThat(files(place))
                .allSatisfy(it -> assertThat(of(it)).as(it.toString()).isEqualTo("rw-------"));
    }

    @Test
    @DisplayName(
            "are their owner's alone, while they are in use and after: database, log, index, lock and owner; and a new directory")
    void made() throws Exception {
        Path place = directory.resolve("data");
        String url = "sqlite:" + place.resolve("holdfast.db");
        try (LockClient locks = LockClient.connect(url + "?mode=exclusive&label=test");
                DocumentStore documents = DocumentStores.open(url)) {
            assertThat(locks.tryAcquire("a")).isNotNull();
            documents.write(Change.put("a", Condition.none(), new byte[] {1}, Map.of()));
            assertThat(of(place)).isEqualTo("rwx------");
            assertClosed(
                    place,
                    "holdfast.db",
                    "holdfast.db-wal",
                    "holdfast.db-shm",
                    "holdfast.db.lock",
                    "holdfast.db.owner",
                    "holdfast-documents.db",
                    "holdfast-documents.db-wal",
                    "holdfast-documents.db-shm");
        }
        assertClosed(place, "holdfast.db");
    }

    @Test
    @DisplayName(
            "that an earlier version left open are closed when they are opened; the directory, which may be another's, is not")
    void tightened() throws Exception {
        Path place = Files.createDirectory(directory.resolve("data"));
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxr-xr-x"));
        String url = "sqlite:" + place.resolve("holdfast.db");
        try (LockClient locks = LockClient.connect(url);
                DocumentStore documents = DocumentStores.open(url)) {
            assertThat(locks.tryAcquire("a")).isNotNull();
            documents.write(Change.put("a", Condition.none(), new byte[] {1}, Map.of()));
        }
        for (Path file : files(place)) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        }
        try (LockClient locks = LockClient.connect(url);
                DocumentStore documents = DocumentStores.open(url)) {
            assertThat(locks.inspect().get(LockKey.of("default", "a"))).isNotNull();
            assertThat(documents.look("a")).isPresent();
            assertClosed(place, "holdfast.db", "holdfast-documents.db");
        }
        assertThat(of(place)).isEqualTo("rwxr-xr-x");
    }
}
