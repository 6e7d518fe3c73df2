package dev.holdfast.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the files of the dashboard")
class DashboardFilesTest {
    private static final int MOST_BYTES = 80 * 1000;
    private static final Path SOURCES = Path.of("src/main/resources/dev/holdfast/dashboard");
    private static final Pattern IMPORT = Pattern.compile("\\b(?:from|import)\\s*[\"']([@./\\w-]+)[\"']");

    private final DashboardFiles files = DashboardFiles.load();

    @Test
    @DisplayName("are begun with at most 80 kB, compressed")
    void small() {
        int page = files.page("/ui/files", false).gzip().length;
        int first = files.first().stream().mapToInt(file -> file.gzip().length).sum() + page;
        int all = files.all().stream().mapToInt(file -> file.gzip().length).sum() + page;
        System.out.println("First load of the dashboard: " + first + " bytes, compressed; all pages: " + all);
        assertThat(first).isLessThanOrEqualTo(MOST_BYTES);
    }

    @Test
    @DisplayName("import only each other")
    void complete() {
        for (DashboardFile file : scripts()) {
            Matcher imports = IMPORT.matcher(text(file));
            while (imports.find()) {
                assertThat(imports.group(1)).as(file.name()).startsWith("./");
                assertThat(files.all())
                        .extracting(DashboardFile::name)
                        .as(file.name() + " imports " + imports.group(1))
                        .contains(imports.group(1).substring(2));
            }
        }
    }

    @Test
    @DisplayName("are all that was written, and nothing that nobody loads")
    void nothingForgotten() throws IOException {
        Set<String> served = files.all().stream().map(DashboardFile::name).collect(Collectors.toSet());
        try (Stream<Path> written = Files.list(SOURCES)) {
            assertThat(written.map(file -> file.getFileName().toString())
                            .filter(name -> !name.equals("index.html") && !name.endsWith(".d.ts")))
                    .isSubsetOf(served);
        }
        String all = scripts().stream().map(DashboardFilesTest::text).collect(Collectors.joining("\n"));
        assertThat(scripts().stream()
                        .map(DashboardFile::name)
                        .filter(name -> !name.equals("app.js") && !name.equals("theme.js")))
                .allSatisfy(name -> assertThat(all).contains("./" + name));
    }

    @Test
    @DisplayName("have an address that changes with what is in them, and only then")
    void version() {
        assertThat(files.version())
                .matches("[0-9a-f]{12}")
                .isEqualTo(DashboardFiles.load().version());
        assertThat(text(files.page("/ui/files", true)))
                .contains("/ui/files/" + files.version() + "/app.js", "data-read-only=\"true\"")
                .doesNotContain("{files}", "{preloads}", "{read-only}");
    }

    @Test
    @DisplayName(
            "show what others wrote as text: nothing makes markup of it, and no style or script stands in the page")
    void textOnly() throws IOException {
        String page = text(files.page("/ui/files", false));
        assertThat(page).doesNotContain("<style", "style=", "onclick", "javascript:");
        assertThat(page.replaceAll("<script[^>]* src=[^>]*></script>", "")).doesNotContain("<script");
        try (Stream<Path> written = Files.list(SOURCES)) {
            for (Path file : written.filter(it -> it.toString().endsWith(".js")).toList()) {
                assertThat(Files.readString(file))
                        .as(file.toString())
                        .doesNotContain(
                                "innerHTML", "outerHTML", "insertAdjacentHTML", "unsafe", "document.write", "eval(")
                        .doesNotContainPattern("\\sstyle=");
            }
        }
    }

    private List<DashboardFile> scripts() {
        return files.all().stream().filter(file -> file.name().endsWith(".js")).toList();
    }

    private static String text(DashboardFile file) {
        return new String(file.plain(), StandardCharsets.UTF_8);
    }
}
