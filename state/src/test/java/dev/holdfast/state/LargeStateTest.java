package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a state of 20 MB")
final class LargeStateTest {
    @TempDir
    private Path directory;

    @Test
    @DisplayName(
            "is saved, loaded, compared, verified and restored where there is room for four copies and not for five")
    void fourCopies() throws Exception {
        assertFits("plain");
    }

    @Test
    @DisplayName("is so encrypted too: what is written and its encrypted form are two of the four")
    void encrypted() throws Exception {
        assertFits(LargeState.ENCRYPTED);
    }

    private void assertFits(String how) throws Exception {
        // Large arrays go to the old part of the heap: 96 MB less 12 MB, four times 20 000 000 and what the program
        // itself needs.
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx96m",
                        "-Xmn12m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        LargeState.class.getName(),
                        directory.toString(),
                        how))
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(output.lines())
                    .contains(
                            "saved",
                            "loaded 20000000",
                            "backed up true",
                            "verified true",
                            "restored true",
                            "serial 3",
                            "deployer true");
            assertThat(output).contains("differs 5"); // some fifty resources, and the serial
        } finally {
            process.destroyForcibly();
        }
    }
}
