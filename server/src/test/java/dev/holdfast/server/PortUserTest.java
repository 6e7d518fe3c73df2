package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("who has a port")
class PortUserTest {
    private static final String HEAD =
            "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n";

    @TempDir
    private Path proc;

    private void listens(String table, int port, int inode) throws IOException {
        Files.createDirectories(proc.resolve("net"));
        Files.writeString(
                proc.resolve("net").resolve(table),
                HEAD
                        + String.format(
                                "   0: 0100007F:%04X 00000000:0000 0A 00000000:00000000 00:00000000 00000000  0  0 %d 1\n",
                                port, inode));
    }

    private void process(int pid, int inode) throws IOException {
        Path files = Files.createDirectories(proc.resolve(Integer.toString(pid)).resolve("fd"));
        Files.createSymbolicLink(files.resolve("5"), Path.of("socket:[" + inode + "]"));
        Files.writeString(files.resolveSibling("cmdline"), "nginx\0-c\0secret\0");
        Files.writeString(files.resolveSibling("comm"), "nginx\n");
    }

    @Test
    @DisplayName("is found on a machine without IPv6, and on one without IPv4")
    void oneVersionOfIp() throws IOException {
        process(4711, 17);
        listens("tcp", 8080, 17);
        assertThat(PortUser.of(8080, proc)).hasToString("Optional[process 4711 (nginx)]");
        Files.delete(proc.resolve("net/tcp"));
        listens("tcp6", 8080, 17);
        assertThat(PortUser.of(8080, proc)).hasToString("Optional[process 4711 (nginx)]");
    }

    @Test
    @DisplayName("is not claimed where it cannot be known")
    void unknown() throws IOException {
        assertThat(PortUser.of(8080, proc)).isEmpty();
        listens("tcp", 8080, 17);
        process(4711, 18);
        assertThat(PortUser.of(8080, proc)).as("another user's process").isEmpty();
        assertThat(PortUser.of(8081, proc)).isEmpty();
    }
}
