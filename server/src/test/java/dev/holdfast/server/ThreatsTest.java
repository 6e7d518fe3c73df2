package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("docs/THREATS.md")
class ThreatsTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`([A-Z][A-Za-z0-9]*Test)`");

    @Test
    @DisplayName("names a test for every threat, and each of them exists")
    void tests() throws IOException {
        String page = Files.readString(PROJECT.resolve("docs/THREATS.md"));
        String stopped = page.substring(page.indexOf("## What stops each"), page.indexOf("## What does not"));
        assertThat(stopped.lines().filter(line -> line.startsWith("| ") && !line.startsWith("| Threat")))
                .hasSizeGreaterThan(15)
                .allMatch(line -> TEST.matcher(line).find());
        Set<String> named =
                TEST.matcher(page).results().map(found -> found.group(1)).collect(Collectors.toSet());
        assertThat(tree()).containsAll(named);
    }

    private static Set<String> tree() throws IOException {
        Set<String> names = new TreeSet<>();
        Pattern file = Pattern.compile(".*/src/test/java/.*/([A-Za-z0-9]+)\\.java");
        try (Stream<Path> all = Files.walk(PROJECT)) {
            all.map(path -> file.matcher(path.toString().replace('\\', '/')))
                    .filter(Matcher::matches)
                    .forEach(found -> names.add(found.group(1)));
        }
        return names;
    }
}
