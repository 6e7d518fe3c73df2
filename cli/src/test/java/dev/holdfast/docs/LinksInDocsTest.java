package dev.holdfast.docs;

import static dev.holdfast.docs.Documents.ROOT;
import static dev.holdfast.docs.Documents.all;
import static dev.holdfast.docs.Documents.files;
import static dev.holdfast.docs.Documents.forPeople;
import static dev.holdfast.docs.Documents.shown;
import static dev.holdfast.docs.Documents.text;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("where documents and package maps lead")
class LinksInDocsTest {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(?:#([^)\\s]*))?\\)");
    private static final Pattern CODE = Pattern.compile("(?ms)^ *```.*?^ *```");
    private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} (.*)$");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\"");
    /** A path in backquotes, with a directory. */
    private static final Pattern PATH = Pattern.compile("`([\\w.-]+(?:/[\\w.-]+)+/?)`");
    /** A class with its package, or the end of it: {@code http/JsonBody}. */
    private static final Pattern CLASS_PATH = Pattern.compile("`((?:[a-z]\\w*/)+[A-Z]\\w*[a-z]\\w*)(?:\\.java)?`");

    private static final Pattern PAGE_FILE = Pattern.compile("(?<![\\w/])([\\w*-]+\\.(?:js|css|html|properties))\\b");
    private static final Path PAGE = ROOT.resolve("dashboard/src/main/resources/dev/holdfast/dashboard");
    private static final Path PAGE_MAP =
            ROOT.resolve("dashboard/src/main/java/dev/holdfast/dashboard/package-info.java");

    /** They look like paths of the project, but are locks, stacks, or in the archive that is unpacked. */
    private static final Set<String> NO_PATHS = Set.of("bin/holdfast", "deploy/shop/prod", "deploy/api", "deploy/web");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    @DisplayName("there is a file, with the heading that is named")
    void links() {
        Set<String> unknown = new TreeSet<>();
        for (Path file : forPeople()) {
            Matcher link = LINK.matcher(CODE.matcher(text(file)).replaceAll(""));
            while (link.find()) {
                String path = link.group(1);
                if (path.contains("://") || path.startsWith("mailto:")) {
                    continue;
                }
                Path target = path.isEmpty() ? file : file.resolveSibling(path).normalize();
                if (!Files.exists(target)) {
                    unknown.add(shown(path, file));
                } else if (link.group(2) != null
                        && target.toString().endsWith(".md")
                        && !anchors(target).contains(link.group(2))) {
                    unknown.add(shown(path + "#" + link.group(2), file));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("there is a file where a path is named in backquotes")
    void paths() {
        List<String> tops = Documents.tops();
        Set<String> sources = sources();
        Set<String> unknown = new TreeSet<>();
        Set<String> unused = new HashSet<>(NO_PATHS);
        for (Path file : forPeople()) {
            for (String path : all(PATH, text(file))) {
                boolean isOurs = tops.contains(path.substring(0, path.indexOf('/')));
                boolean isThere = Files.exists(ROOT.resolve(path)) || Files.exists(file.resolveSibling(path));
                if (isOurs
                        && !isThere
                        && !path.matches(".*/target(/.*)?") // is there once it is built
                        && !isSource(sources, path)
                        && !unused.remove(path)
                        && !NO_PATHS.contains(path)) {
                    unknown.add(shown(path, file));
                }
            }
        }
        assertThat(unknown).isEmpty();
        assertThat(unused).as("exceptions that nothing needs").isEmpty();
    }

    @Test
    @DisplayName("there is a class where one is named with its package")
    void classes() {
        Set<String> sources = sources();
        Set<String> unknown = new TreeSet<>();
        for (Path file : forPeople()) {
            for (String path : all(CLASS_PATH, text(file))) {
                if (!isSource(sources, path) && !Files.exists(ROOT.resolve(path))) {
                    unknown.add(shown(path, file));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("the map of the dashboard names each of its scripts, and none that is not there")
    void page() {
        Set<String> named = new TreeSet<>(all(PAGE_FILE, text(PAGE_MAP)));
        Set<String> there = new TreeSet<>();
        files(ROOT.relativize(PAGE).toString(), ".js")
                .forEach(file -> there.add(file.getFileName().toString()));
        assertThat(named).allMatch(name -> there.stream().anyMatch(file -> isLike(file, name)));
        assertThat(there).allMatch(file -> named.stream().anyMatch(name -> isLike(file, name)));
    }

    @Test
    @DisplayName("there is a file where a map of a package names one of the page, of settings or of a style")
    void maps() {
        Set<String> there = new HashSet<>();
        List.of(".js", ".css", ".html", ".properties")
                .forEach(ending -> files(ending)
                        .forEach(file -> there.add(file.getFileName().toString())));
        Set<String> unknown = new TreeSet<>();
        for (Path map : files("package-info.java")) {
            for (String name : all(PAGE_FILE, text(map))) {
                if (there.stream().noneMatch(file -> isLike(file, name))) {
                    unknown.add(shown(name, map));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    private static boolean isLike(String file, String name) {
        return file.matches(name.replace(".", "\\.").replace("*", ".*"));
    }

    /** All sources as paths without their endings, from a slash on. */
    private static Set<String> sources() {
        Set<String> sources = new HashSet<>();
        for (Path file : files(".java")) {
            sources.add("/" + ROOT.relativize(file).toString().replaceFirst("\\.java$", ""));
        }
        return sources;
    }

    private static boolean isSource(Set<String> sources, String path) {
        String end = "/" + path.replaceFirst("\\.java$", "");
        return sources.stream().anyMatch(source -> source.endsWith(end));
    }

    private Set<String> anchors(Path file) {
        return anchors.computeIfAbsent(file, LinksInDocsTest::anchorsOf);
    }

    /** As GitHub makes them of headings; a second one of the same words gets a number. */
    private static Set<String> anchorsOf(Path file) {
        String text = CODE.matcher(text(file)).replaceAll("");
        Set<String> anchors = new HashSet<>(all(ANCHOR, text));
        Map<String, Integer> times = new HashMap<>();
        for (String heading : all(HEADING, text)) {
            String anchor = heading.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            int before = times.merge(anchor, 1, Integer::sum) - 1;
            anchors.add(before == 0 ? anchor : anchor + "-" + before);
        }
        return anchors;
    }
}
