package dev.holdfast.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("addresses in texts")
class LoopbackTest {
    private static final List<String> NONE =
            List.of("999.1.1.1", "1.2.3.256", "1.2.3", "abcd", ".a:", "a.b:", ":.", "localhost.example", "");

    @Test
    @DisplayName("are read, of either version, with and without a zone")
    void addresses() {
        assertThat(Loopback.address("192.0.2.7").orElseThrow().getHostAddress()).isEqualTo("192.0.2.7");
        assertThat(Loopback.address("::ffff:192.0.2.7").orElseThrow().getHostAddress())
                .isEqualTo("192.0.2.7");
        assertThat(Loopback.address("2001:DB8::7").orElseThrow().getHostAddress())
                .isEqualTo("2001:db8:0:0:0:0:0:7");
        assertThat(Loopback.address("::1%1")).isPresent();
        assertThat(Loopback.isLoopback("[::1]")).isTrue();
    }

    /** In a process that finds all of them in a file of names: what it takes for an address, it has looked up. */
    @Test
    @DisplayName("are never looked up as names, whatever they look like")
    void asksNobody(@TempDir Path directory) throws Exception {
        Path names = Files.writeString(directory.resolve("names"), "127.0.0.1 " + String.join(" ", NONE) + "\n");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djdk.net.hosts.file=" + names,
                "-cp",
                System.getProperty("java.class.path"),
                Reader.class.getName()));
        command.addAll(NONE);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        assertThat(told).isEmpty();
    }

    /** Writes what it takes for an address. */
    static final class Reader {
        public static void main(String[] texts) {
            for (String text : texts) {
                if (Loopback.isLoopback(text) || Loopback.address(text).isPresent()) {
                    System.out.println(text);
                }
            }
        }
    }
}
