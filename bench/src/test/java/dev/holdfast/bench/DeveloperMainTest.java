package dev.holdfast.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The program of developers")
class DeveloperMainTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return DeveloperMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
    }

    @Test
    @DisplayName("simulate runs as many seeds as it is asked to")
    void simulate() {
        assertThat(run("simulate", "--seeds", "20")).isZero();
        assertThat(out.toString()).contains("20 runs").contains("all promises held");
    }

    @Test
    @DisplayName("simulate shows one run again, step by step")
    void simulateOne() {
        assertThat(run("simulate", "--seed", "3")).isZero();
        assertThat(out.toString()).contains("asks for").contains("all promises held");
    }

    @Test
    @DisplayName("bench measures what it is asked to")
    void bench() {
        assertThat(run("bench", "core", "--only", "memory", "--seconds", "1")).isZero();
        assertThat(out.toString()).contains("memory");
    }

    @Test
    @DisplayName("nonsense is a usage error with an example")
    void nonsense() {
        assertThat(run("simulate", "--seeds", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("--seeds").contains("Example");
        assertThat(run("simulate", "--seeds", "many")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString()).contains("Usage: holdfast simulate", "Help: holdfast simulate --help");
        assertThat(run("bench", "core", "--seconds", "0")).isEqualTo(ExitCodes.USAGE);
        assertThat(run("bench", "server", "--only", "everything")).isEqualTo(ExitCodes.USAGE);
        assertThat(err.toString())
                .contains("--seconds must be between 1 and 600", "--only takes [sqlite, memory, parked]");
    }
}
