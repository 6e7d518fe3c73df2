package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.spi.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("files of ours, in a directory that is open to everybody")
final class PrivateFilesTest {
    @TempDir
    Path directory;

    private Path open;

    @BeforeEach
    void makeOpen() throws IOException {
        open = Files.createDirectory(directory.resolve("open"));
        set(open, "rwxr-xr-x"); // as umask 022 leaves it
    }

    private static void set(Path path, String permissions) throws IOException {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }

    private static String of(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    @DisplayName("are their owner's alone")
    void made() throws IOException {
        PrivateFiles.createFile(open.resolve("a"));
        PrivateFiles.createFile(open.resolve("a"));
        PrivateFiles.open(open.resolve("b"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))
                .close();
        PrivateFiles.createDirectory(open.resolve("c"));
        PrivateFiles.createDirectories(open.resolve("d/e"));
        for (String file : List.of("a", "b")) {
            assertThat(of(open.resolve(file))).isEqualTo("rw-------");
        }
        for (String made : List.of("c", "d", "d/e")) {
            assertThat(of(open.resolve(made))).isEqualTo("rwx------");
        }
        assertThat(of(open)).isEqualTo("rwxr-xr-x");
    }

    @Test
    @DisplayName("are for the group where somebody has let it write, and not everybody")
    void group() throws IOException {
        set(open, "rwxrwx---");
        PrivateFiles.createFile(open.resolve("a"));
        PrivateFiles.createDirectory(open.resolve("c"));
        PrivateFiles.open(open.resolve("b"), Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))
                .close();
        assertThat(of(open.resolve("a"))).isEqualTo("rw-rw----");
        assertThat(of(open.resolve("b"))).isEqualTo("rw-rw----");
        assertThat(of(open.resolve("c"))).isEqualTo("rwxrwx---");
        set(open, "rwxrwxrwx");
        PrivateFiles.createFile(open.resolve("temporary"));
        assertThat(of(open.resolve("temporary"))).isEqualTo("rw-------");
    }

    @Test
    @DisplayName("that are open to all are closed; what is open to a group alone, or not there, is left as it is")
    void tightened() throws IOException {
        Path file = Files.createFile(open.resolve("f"));
        for (List<String> change : List.of(
                List.of("rw-r--r--", "rw-------"),
                List.of("rw-rw-r--", "rw-rw----"),
                List.of("rw-r-----", "rw-r-----"),
                List.of("rw-------", "rw-------"),
                List.of("r--r--r--", "r--------"))) {
            set(file, change.get(0));
            PrivateFiles.tighten(file);
            assertThat(of(file)).isEqualTo(change.get(1));
        }
        PrivateFiles.tighten(open);
        assertThat(of(open)).isEqualTo("rwx------");
        PrivateFiles.tighten(open.resolve("nothing"));
    }

    @Test
    @DisplayName(
            "that are documents are, with all their directories, lock and heads; a directory that was open is closed")
    void documents() throws IOException {
        Path place = Files.createDirectory(open.resolve("documents"));
        set(place, "rwxr-xr-x");
        try (DocumentStore store = DocumentStores.open("file:" + place)) {
            store.write(Change.put("stacks/a/state.json", Condition.none(), new byte[] {1}, Map.of()));
            store.write(Change.put("stacks/a/state.json", Condition.none(), new byte[] {2}, Map.of()));
            store.write(Change.mark(
                    "stacks/a/state.json",
                    store.look("stacks/a/state.json").orElseThrow().tag(),
                    Map.of()));
        }
        DocumentStores.open("file:" + open.resolve("fresh")).close();
        assertThat(of(open.resolve("fresh"))).isEqualTo("rwx------");
        try (Stream<Path> all = Files.walk(place)) {
            assertThat(all.toList())
                    .hasSizeGreaterThan(4)
                    .allSatisfy(path -> assertThat(of(path))
                            .as(path.toString())
                            .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }
}
