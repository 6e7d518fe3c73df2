package dev.holdfast.test.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/TESTING.md")
class DocumentedTest {
    private static final Pattern SNIPPET = Pattern.compile("(?s)```java\n(.*?)```");
    private static final Path HERE = Path.of("src/test/java/dev/holdfast/test/example");

    @Test
    @DisplayName("shows code that is compiled and run here")
    void snippets() throws IOException {
        String compiled = flat(Files.readString(HERE.resolve("NightlyExport.java")))
                + flat(Files.readString(HERE.resolve("NightlyExportTest.java")));
        List<String> shown = SNIPPET.matcher(Files.readString(Path.of("../docs/TESTING.md")))
                .results()
                .map((MatchResult found) -> flat(found.group(1)))
                .toList();
        assertThat(shown)
                .hasSizeGreaterThan(6)
                .allSatisfy(snippet -> assertThat(compiled).contains(snippet));
    }

    /** Lines are broken for another width there, and names of tests are left out. */
    private static String flat(String code) {
        return code.replaceAll("@DisplayName\\(\"[^\"]*\"\\)", "").replaceAll("\\s+", "");
    }
}
