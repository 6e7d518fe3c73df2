package dev.holdfast.server.observe.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RollingFileTest {
    @TempDir
    Path directory;

    @Test
    @DisplayName("lines are appended, also after the file is opened again")
    void appends() throws IOException {
        Path path = directory.resolve("made/audit.log");
        try (RollingFile file = file(path, 1_000, 2)) {
            write(file, "one\n");
        }
        try (RollingFile file = file(path, 1_000, 2)) {
            write(file, "two\n");
        }

        assertThat(path).content().isEqualTo("one\ntwo\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                .isEqualTo("rw-r-----");
    }

    @Test
    @DisplayName("at its limit the file is rolled, and only so many old ones are kept")
    void rolls() throws IOException {
        Path path = directory.resolve("audit.log");
        try (RollingFile file = file(path, 8, 2)) {
            for (int i = 0; i < 5; i++) {
                write(file, "line-" + i + "\n");
            }
        }

        assertThat(path).content().isEqualTo("line-4\n");
        assertThat(directory.resolve("audit.log.1")).content().isEqualTo("line-3\n");
        assertThat(directory.resolve("audit.log.2")).content().isEqualTo("line-2\n");
        assertThat(directory.resolve("audit.log.3")).doesNotExist();
    }

    @Test
    @DisplayName("a file renamed by somebody else is followed by a new one")
    void renamed() throws IOException {
        Path path = directory.resolve("audit.log");
        try (RollingFile file = file(path, 1_000, 2)) {
            write(file, "one\n");
            Files.move(path, directory.resolve("kept"));
            write(file, "two\n");
            Files.move(path, directory.resolve("kept"), StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(path, "made by the rotation\n");
            write(file, "three\n");
        }

        assertThat(directory.resolve("kept")).content().isEqualTo("two\n");
        assertThat(path).content().isEqualTo("made by the rotation\nthree\n");
    }

    @Test
    @DisplayName("a file truncated by somebody else is written on from its start")
    void truncated() throws IOException {
        Path path = directory.resolve("audit.log");
        try (RollingFile file = file(path, 1_000, 2)) {
            write(file, "one\n");
            try (FileChannel other = FileChannel.open(path, StandardOpenOption.WRITE)) {
                other.truncate(0);
            }
            write(file, "two\n");
        }

        assertThat(path).content().isEqualTo("two\n");
    }

    @Test
    @DisplayName("half a line left by a crash is ended before the next line")
    void halfLine() throws IOException {
        Path path = directory.resolve("audit.log");
        Files.writeString(path, "{\"half\":");
        try (RollingFile file = file(path, 1_000, 2)) {
            write(file, "whole\n");
        }

        assertThat(path).content().isEqualTo("{\"half\":\nwhole\n");
    }

    @Test
    @DisplayName("a place that cannot be written is refused when it is opened")
    void refused() {
        assertThatThrownBy(() -> file(directory, 1_000, 2).open()).isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("an interrupted thread still writes")
    void interrupted() throws IOException {
        Path path = directory.resolve("audit.log");
        try (RollingFile file = file(path, 1_000, 2)) {
            Thread.currentThread().interrupt();
            write(file, "one\n");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }

        assertThat(path).content().isEqualTo("one\n");
    }

    private static RollingFile file(Path path, long bytes, int files) {
        return new RollingFile(path, new RollingFile.RollingLimits(bytes, files));
    }

    private static void write(RollingFile file, String lines) throws IOException {
        file.append(lines.getBytes(StandardCharsets.UTF_8));
    }
}
