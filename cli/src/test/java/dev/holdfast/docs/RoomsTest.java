package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The shape of the whole project: what is where, and who knows whom. Read from the sources, so that it holds for every module. */
@DisplayName("the rooms of the house")
class RoomsTest {
    private static final int MAX_FILES = 25;
    private static final Path ROOT = Path.of("..");
    private static final Path ARROWS = Path.of("src/test/resources/dev/holdfast/docs/arrows.txt");
    private static final String TOP = "dev.holdfast";
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?(dev\\.holdfast[\\w.]*?)\\.[A-Z]");
    private static final Pattern COMMENT = Pattern.compile("/\\*(?:(?!\\*/).)*\\*/|//[^\n]*", Pattern.DOTALL);
    /** A class by its whole name, instead of by an import. */
    private static final Pattern WHOLE_NAME =
            Pattern.compile("(?<![\\w.\"])(dev\\.holdfast(?:\\.[a-z][a-z0-9]*)*)\\.[A-Z]");
    /** For the tests of others, or nobody's dependency. */
    private static final Set<String> ASIDE = Set.of("testkit", "examples", "bench", "bench-peers", "developer");

    private record Source(String module, String inPackage, String name, Set<String> imports) {}

    private final List<Source> sources = sources();

    @Test
    @DisplayName("are small: no package has more than " + MAX_FILES + " files")
    void small() {
        Map<String, Integer> files = new TreeMap<>();
        sources.forEach(source -> files.merge(source.module() + " " + source.inPackage(), 1, Integer::sum));
        files.values().removeIf(count -> count <= MAX_FILES);
        assertThat(files).isEmpty();
    }

    @Test
    @DisplayName("have a map: each package says what is in it")
    void maps() {
        Set<String> without = new TreeSet<>();
        sources.forEach(source -> without.add(source.module() + " " + source.inPackage()));
        sources.stream()
                .filter(source -> source.name().equals("package-info"))
                .forEach(source -> without.remove(source.module() + " " + source.inPackage()));
        assertThat(without).isEmpty();
    }

    @Test
    @DisplayName("have no two classes of one name")
    void names() {
        Map<String, Set<String>> places = new TreeMap<>();
        for (Source source : sources) {
            if (!ASIDE.contains(source.module()) && !source.name().endsWith("-info")) {
                places.computeIfAbsent(source.name(), name -> new TreeSet<>()).add(source.inPackage());
            }
        }
        places.values().removeIf(where -> where.size() == 1);
        assertThat(places).isEmpty();
    }

    @Test
    @DisplayName("are not entered in circles: no packages know each other, directly or through others")
    void circles() {
        Map<String, Set<String>> knows = new HashMap<>();
        for (Source source : sources) {
            Set<String> others = knows.computeIfAbsent(source.inPackage(), name -> new LinkedHashSet<>());
            source.imports().stream()
                    .filter(other -> !other.equals(source.inPackage()))
                    .forEach(others::add);
        }
        Set<String> circles = new TreeSet<>();
        for (String start : knows.keySet()) {
            Set<String> reached = new LinkedHashSet<>();
            List<String> next = new ArrayList<>(knows.get(start));
            while (!next.isEmpty()) {
                String here = next.remove(next.size() - 1);
                if (reached.add(here)) {
                    next.addAll(knows.getOrDefault(here, Set.of()));
                }
            }
            if (reached.contains(start)) {
                circles.add(start + " knows "
                        + knows.get(start).stream()
                                .filter(other -> reaches(knows, other, start))
                                .toList());
            }
        }
        assertThat(circles).isEmpty();
    }

    @Test
    @DisplayName("know only those of their house that arrows.txt allows: what is new there is decided, not slipped in")
    void arrows() throws IOException {
        Map<String, Set<String>> knows = new TreeMap<>();
        Map<String, String> houses = new HashMap<>();
        sources.forEach(source -> houses.put(source.inPackage(), source.module()));
        for (Source source : sources) {
            source.imports().stream()
                    .filter(other ->
                            !other.equals(source.inPackage()) && source.module().equals(houses.get(other)))
                    .forEach(other -> knows.computeIfAbsent(
                                    source.module() + " " + shorter(source.inPackage()), room -> new TreeSet<>())
                            .add(shorter(other)));
        }
        List<String> arrows = new ArrayList<>();
        knows.forEach((room, others) -> arrows.add(room + " -> " + String.join(" ", others)));
        assertThat(arrows)
                .containsExactlyElementsOf(Files.readAllLines(ARROWS).stream()
                        .filter(line -> !line.startsWith("#") && !line.isBlank())
                        .toList());
    }

    private static String shorter(String name) {
        return name.equals(TOP) ? "." : name.substring(TOP.length() + 1);
    }

    private static boolean reaches(Map<String, Set<String>> knows, String from, String to) {
        Set<String> seen = new LinkedHashSet<>();
        List<String> next = new ArrayList<>(List.of(from));
        while (!next.isEmpty()) {
            String here = next.remove(next.size() - 1);
            if (here.equals(to)) {
                return true;
            }
            if (seen.add(here)) {
                next.addAll(knows.getOrDefault(here, Set.of()));
            }
        }
        return false;
    }

    private static List<Source> sources() {
        try (Stream<Path> all = Files.walk(ROOT, 14)) {
            return all.filter(file -> file.toString().contains("/src/main/java/")
                            && file.toString().endsWith(".java")
                            && !file.endsWith("module-info.java")
                            && !ROOT.relativize(file).toString().startsWith("."))
                    .map(RoomsTest::source)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Source source(Path file) {
        try {
            String text = Files.readString(file);
            Matcher named = PACKAGE.matcher(text);
            assertThat(named.find()).as(file.toString()).isTrue();
            Set<String> imports = new LinkedHashSet<>();
            IMPORT.matcher(text).results().forEach(found -> imports.add(found.group(1)));
            String code = COMMENT.matcher(text).replaceAll("");
            WHOLE_NAME.matcher(code).results().forEach(found -> imports.add(found.group(1)));
            String module = ROOT.relativize(file).toString();
            return new Source(
                    module.substring(0, module.indexOf("/src/")),
                    named.group(1),
                    file.getFileName().toString().replace(".java", ""),
                    imports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
