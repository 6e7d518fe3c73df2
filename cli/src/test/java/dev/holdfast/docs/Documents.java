package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The files of the project, for tests that compare what one of them says with what another one is. */
final class Documents {
    static final Path ROOT = Path.of("..");

    private Documents() {}

    /** Documents for people; the changelog also tells of what is gone. */
    static List<Path> forPeople() {
        return files(".md").stream()
                .filter(file -> !file.endsWith("CHANGELOG.md"))
                .toList();
    }

    static List<Path> files(String ending) {
        List<Path> found = new ArrayList<>();
        tops().forEach(part -> found.addAll(files(part, ending)));
        assertThat(found).isNotEmpty();
        return found;
    }

    static List<Path> files(String part, String ending) {
        try (Stream<Path> all = Files.walk(ROOT.resolve(part))) {
            return all.filter(file -> file.getFileName().toString().endsWith(ending) && !isBuilt(file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What is at the top of the project, but for hidden directories. */
    static List<String> tops() {
        try (Stream<Path> all = Files.list(ROOT)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !name.equals("target"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first group of every match. */
    static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    static String shown(String name, Path file) {
        return name + " in " + ROOT.relativize(file);
    }

    private static boolean isBuilt(Path file) {
        return file.toString().contains("/target/") || file.toString().contains("/node_modules/");
    }
}
