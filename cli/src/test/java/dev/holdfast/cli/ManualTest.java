package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The manual pages")
class ManualTest {
    private static final List<String> SECTIONS = List.of(
            "NAME",
            "SYNOPSIS",
            "EXAMPLES",
            "DESCRIPTION",
            "OPTIONS",
            "EXIT STATUS",
            "ENVIRONMENT",
            "FILES",
            "SEE ALSO");

    @TempDir
    private Path directory;

    @BeforeEach
    void write() {
        String[] args = {"manual", directory.resolve("man1").toString()};
        StringWriter out = new StringWriter();
        assertThat(Main.commandLine(args).setOut(new PrintWriter(out, true)).execute(args))
                .isZero();
        assertThat(out.toString()).contains("manual pages are in");
    }

    private List<Path> pages() throws IOException {
        try (Stream<Path> all = Files.list(directory.resolve("man1"))) {
            return all.sorted().toList();
        }
    }

    @Test
    @DisplayName("are one for the program and one for each command that help shows")
    void all() throws IOException {
        assertThat(pages())
                .extracting(page -> page.getFileName().toString())
                .contains("holdfast.1", "holdfast-exec.1", "holdfast-state-push.1", "holdfast-guard-apps-import.1")
                .noneMatch(name -> name.contains("deployer") || name.contains("rehearse"));
    }

    @Test
    @DisplayName("have the usual sections in the usual order, and each has a line for whatis")
    void sections() throws IOException {
        for (Path page : pages()) {
            String text = Files.readString(page);
            assertThat(text).as(page.toString()).startsWith(".TH \"HOLDFAST").isASCII();
            List<String> found = text.lines()
                    .filter(line -> line.startsWith(".SH "))
                    .map(line -> line.substring(5, line.length() - 1))
                    .toList();
            assertThat(found)
                    .as(page.toString())
                    .isSubsetOf(SECTIONS)
                    .contains("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS");
            assertThat(found).isSortedAccordingTo((a, b) -> SECTIONS.indexOf(a) - SECTIONS.indexOf(b));
            assertThat(text).containsPattern("\\.SH \"NAME\"\nholdfast\\S* \\\\- [a-z].*[^.]\n");
        }
        assertThat(Files.readString(directory.resolve("man1/holdfast-exec.1")))
                .contains("\\fBHOLDFAST_SERVER\\fR", "config.yaml", "\\fBholdfast\\fR(1)");
    }

    @Test
    @DisplayName("are roff without a warning, and show what they say")
    void roff() throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/groff")), "there is no groff here");
        List<String> check = new ArrayList<>(List.of("groff", "-man", "-ww", "-Tutf8", "-z"));
        pages().forEach(page -> check.add(page.toString()));
        assertThat(output(check)).isEmpty();
        Path page = directory.resolve("man1/holdfast-exec.1");
        assertThat(output(List.of("groff", "-man", "-Tascii", "-P-cbou", page.toString())))
                .contains("holdfast exec nightly-report -- ./report.sh", "-w, --wait DUR", "EXIT STATUS");
    }

    @Test
    @DisplayName("pass the checks of mandoc")
    void mandoc() throws Exception {
        Assumptions.assumeTrue(Files.exists(Path.of("/usr/bin/mandoc")), "there is no mandoc here");
        for (Path page : pages()) {
            assertThat(output(List.of("mandoc", "-Tlint", "-Wwarning", page.toString()))
                            .lines()
                            .filter(line -> !line.contains("missing date")))
                    .isEmpty();
        }
    }

    private static String output(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return said;
    }
}
