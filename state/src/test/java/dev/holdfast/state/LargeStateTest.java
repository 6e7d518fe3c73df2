package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.nio.file.Path;
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
    void fourCopies() {
        assertFits("plain");
    }

    @Test
    @DisplayName("is so encrypted too: what is written and its encrypted form are two of the four")
    void encrypted() {
        assertFits(LargeState.ENCRYPTED);
    }

    private void assertFits(String how) {
        // Large arrays go to the old part of the heap: 96 MB less 12 MB, four times 20 000 000 and what the program
        // itself
        // needs. Its checksums and ciphers take six times as long without the best compiler.
        try (JavaProcess process = JavaProgram.of(LargeState.class)
                .heap("96m", "-Xmn12m", "-XX:TieredStopAtLevel=4")
                .merged()
                .start(directory.toString(), how)) {
            process.exit();
            String output = process.output();
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
        }
    }
}
