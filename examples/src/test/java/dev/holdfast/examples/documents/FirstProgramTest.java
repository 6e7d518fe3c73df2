package dev.holdfast.examples.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole programs in the documents, the first that readers meet among them: saved and run as they are printed. */
class FirstProgramTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(import .*?)^```$");
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?class (\\w+)");
    private static final Pattern EXPECTED = Pattern.compile("(?m)^\\$ java .*\\.java\\n(.*)$");

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/LIBRARY.md"})
    @DisplayName("compiles and runs as a file, on SQLite, and prints what it says")
    void runs(String page) throws IOException {
        JavaProcess program = run(page);

        assertThat(program.exit()).as(program.toString()).isZero();
        assertThat(program.said()).singleElement().asString().matches("my turn, with token \\d+");
        assertThat(directory.resolve("locks.db")).isNotEmptyFile();
    }

    @Test
    @DisplayName("prints what the page about the library shows, but for the number")
    void expected() throws IOException {
        Matcher shown = EXPECTED.matcher(Files.readString(ROOT.resolve("docs/LIBRARY.md")));
        assertThat(shown.find()).isTrue();
        JavaProcess program = run("docs/LIBRARY.md");
        program.exit();
        assertThat(withoutNumbers(program.output())).isEqualTo(withoutNumbers(shown.group(1)));
    }

    @Test
    @DisplayName("a caller of a rate-limited API sends one after the other, each under a permit of its own")
    void permits() throws IOException {
        JavaProcess program = run("docs/tasks/rate-limited-api.md", "one", "two");
        assertThat(program.exit()).as(program.toString()).isZero();
        assertThat(program.said())
                .map(FirstProgramTest::withoutNumbers)
                .containsExactly("sending one with token N", "sending two with token N");
    }

    @Test
    @DisplayName("a leader leads, the second stands by and leads when the first is gone")
    void leaders() throws IOException {
        try (JavaProcess first = run("docs/tasks/leader-election.md")) {
            String led = first.awaitLine("leading with token ");
            try (JavaProcess second = run("docs/tasks/leader-election.md")) {
                first.kill();
                assertThat(second.awaitLine("leading with token ")).isGreaterThan(led);
            }
        }
    }

    @Test
    @DisplayName("of two Quartz schedulers on one lock, one runs the job and the other skips it")
    void schedulers() throws IOException {
        try (JavaProcess first = run("docs/tasks/schedulers.md")) {
            first.awaitLine("cleaned up");
            assertThat(first.hasSaid("cleaning up with token ")).isTrue();
            try (JavaProcess second = run("docs/tasks/schedulers.md")) {
                second.awaitLine("skipped, another machine does it");
                assertThat(second.hasSaid("cleaning up")).isFalse();
            }
        }
    }

    private static String withoutNumbers(String text) {
        return text.replaceAll("\\d+", "N");
    }

    /** As readers do: {@code java -cp … NightlyReport.java}. */
    private JavaProcess run(String page, String... arguments) throws IOException {
        Matcher program = PROGRAM.matcher(Files.readString(ROOT.resolve(page)));
        assertThat(program.find()).as("a whole class in " + page).isTrue();
        Matcher type = CLASS.matcher(program.group(1));
        assertThat(type.find()).isTrue();
        String file = type.group(1) + ".java";
        Files.writeString(directory.resolve(file), program.group(1));
        JavaProgram java = JavaProgram.of(FirstProgramTest.class).in(directory);
        List<String> words = new ArrayList<>(java.words());
        words.set(words.size() - 1, file); // the file instead of a class
        words.addAll(List.of(arguments));
        return java.start(words);
    }
}
