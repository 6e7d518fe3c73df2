package dev.holdfast.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("How fast a clock may be corrected")
class ClockRateTest {
    @TempDir
    private Path directory;

    private String told(String configuration) throws IOException {
        Path file = Files.writeString(directory.resolve("chrony.conf"), configuration);
        StringWriter out = new StringWriter();
        ClockRate.check(file, new Checkup(new PrintWriter(out)));
        return out.toString();
    }

    @Test
    @DisplayName("chrony's default is warned of, with what to write where")
    void byDefault() throws IOException {
        assertThat(told("pool pool.ntp.org iburst\nmakestep 1 3\n"))
                .startsWith("warn")
                .contains("8.3 %", "maxslewrate 1000", "chrony.conf");
    }

    @Test
    @DisplayName("a rate within what a holder leaves is well; a comment and an earlier line do not count")
    void slow() throws IOException {
        assertThat(told("maxslewrate 90000\n  MaxSlewRate 500.0\n# maxslewrate 80000\n"))
                .startsWith("ok")
                .contains("0.1 %");
        assertThat(told("maxslewrate 5001\n")).startsWith("warn");
    }
}
