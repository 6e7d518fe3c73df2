package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReferenceTest {
    private static final Path PAGE = Path.of("../docs/CLI.md");

    @Test
    @DisplayName("docs/CLI.md says of every command what its help says")
    void current() throws Exception {
        assertThat(Files.readString(PAGE))
                .as("the page is old; make it again: ./holdfast reference > docs/CLI.md")
                .isEqualTo(Reference.of(Main.commandLine()));
    }

    @Test
    @DisplayName("the page has each command with its options and exit codes, and none that is hidden")
    void content() {
        assertThat(Reference.of(Main.commandLine()))
                .contains("## holdfast serve", "## holdfast schema print", "| `--drop` |", "- 69: ")
                .doesNotContain("__complete", "rehearse\n");
    }
}
