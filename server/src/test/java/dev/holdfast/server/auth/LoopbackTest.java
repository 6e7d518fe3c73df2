package dev.holdfast.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.nio.file.Files;
import java.nio.file.Path;
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
        JavaProgram reader = JavaProgram.of(Reader.class).heap("64m", "-Djdk.net.hosts.file=" + names);
        try (JavaProcess process = reader.start(NONE.toArray(String[]::new))) {
            assertThat(process.exit()).as("%s", process).isZero();
            assertThat(process.said()).isEmpty();
        }
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
