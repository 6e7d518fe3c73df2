package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DocumentTest {
    private static final Path DOCUMENT = Path.of("../docs/CONFIGURATION.md");
    private static final Path SAMPLE = Path.of("../examples/deploy/holdfast.yaml");

    @Test
    @DisplayName(
            "the document has a row for every setting, with its default and its values, and no row for anything else")
    void rows() throws IOException {
        List<String> documented = Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.matches("\\| `[a-z][a-z0-9.-]*` \\|.*"))
                .toList();
        List<String> declared =
                Settings.declared().stream().map(DocumentTest::row).toList();
        assertThat(documented).containsExactlyElementsOf(declared);
    }

    private static String row(Setting<?> setting) {
        String shown = setting.defaultText().isEmpty() ? "" : code(setting.defaultText());
        return "| `" + setting.name() + "` | " + shown + " | " + setting.allowed() + " | " + setting.description()
                + " |";
    }

    /** A default that tells how it is computed has its own marks. */
    private static String code(String text) {
        return text.contains("`") ? text : "`" + text + "`";
    }

    @Test
    @DisplayName("a name is lower case, with dots and hyphens; its description ends with a full stop")
    void style() {
        assertThat(Settings.declared()).hasSizeGreaterThan(60).allSatisfy(setting -> {
            assertThat(setting.name()).matches("[a-z]+([.-][a-z]+)*");
            assertThat(setting.description()).endsWith(".").doesNotContain("|");
        });
    }

    @Test
    @DisplayName("the sample file is accepted, and sets what it says")
    void sample(@TempDir Path elsewhere) {
        Settings settings = Settings.load(
                List.of("--config=" + SAMPLE.toAbsolutePath()),
                Map.of("HOLDFAST_STORE", "postgresql://holdfast@db/locks"),
                elsewhere);
        assertThat(settings.get(ServerSettings.HOST)).isEqualTo("0.0.0.0");
        assertThat(settings.get(AuthSettings.TOKENS)).hasSize(2);
        assertThat(settings.authConfigured()).isTrue();
        assertThat(settings.notes()).isEmpty();
    }

    @Test
    @DisplayName("what the sample shows in comments is accepted too")
    void sampleComments(@TempDir Path directory) throws IOException {
        String all = Files.readString(SAMPLE).replaceAll("(?m)^( *)#: ", "$1");
        Files.writeString(directory.resolve("holdfast.yaml"), all);
        for (String pem : List.of("tls.crt", "tls.key")) {
            Files.writeString(directory.resolve(pem), "");
        }
        Settings settings = Settings.load(List.of(), Map.of(), directory);
        assertThat(settings.get(ServerSettings.TLS_KEY)).isPresent();
        assertThat(settings.get(AuthSettings.JWT_ISSUER)).isPresent();
    }
}
