package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what documents and package maps name")
class NamesInDocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    /** The same in the clients in other languages; in Go functions, fields and variables are written like types. */
    private static final Pattern TYPE_ELSEWHERE =
            Pattern.compile("\\b(?:class|interface|type|func|func \\([^)]*\\))\\s+([A-Z]\\w*)|(?m)^\\s([A-Z]\\w*)\\b");
    /** What reads like a class in backquotes: two humps at least. */
    private static final Pattern IN_TEXT =
            Pattern.compile("`(?:new )?([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)(?:[.#(][^`\\n]*)?`");

    private static final Pattern IN_JAVADOC =
            Pattern.compile("\\{@(?:link|code)\\s+(?:[a-z.]+\\.)?([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)");
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]+)(#[^)\\s]*)?\\)");
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:`|^\\s*(?:\\$ )?)(?:\\./)?holdfast ([a-z][a-z-]*)(?: ([a-z][a-z-]*))?");
    private static final Pattern ALERT = Pattern.compile("(?m)^ *- alert: (\\w+)$");
    private static final Pattern EXIT_CODE =
            Pattern.compile("(?:[Ee]xit code|\\bends? with|\\bend with)s? `?(\\d+)\\b");
    private static final List<String> JDK = List.of(
            "java.lang.",
            "java.util.",
            "java.util.concurrent.",
            "java.util.concurrent.locks.",
            "java.util.function.",
            "java.time.",
            "javax.sql.");
    /** Of others: AWS, Kubernetes, JSON, ShedLock, Spring. */
    private static final Set<String> FOREIGN = Set.of(
            "AmazonDynamoDBLockClient",
            "CreateTable",
            "DescribeTable",
            "DescribeTimeToLive",
            "DistributedLock",
            "DynamoDbAsyncClient",
            "GetItem",
            "KeepAliveLockProvider",
            "LockAssert",
            "LockException",
            "LockExtender",
            "LockLevel",
            "LockProvider",
            "LockingTaskExecutor",
            "DefaultLockRepository",
            "ErrLocked",
            "JdbcLockRegistry",
            "LockIndex",
            "LockRegistry",
            "LockRegistryLeaderInitiator",
            "NaN",
            "ProvisionedThroughputExceeded",
            "RequestLimitExceeded",
            "RequestTimeout",
            "S3AsyncClient",
            "ServiceUnavailable",
            "SimpleLock",
            "SlowDown",
            "StatefulSet",
            "ThrottlingException",
            "TrackingLockProviderWrapper",
            "UpdateTable",
            "UpdateTimeToLive");

    /** For whoever works on the project, and what the launcher does by itself. */
    private static final Set<String> HIDDEN = Set.of("archive-classes", "reference", "simulate", "bench", "soak");

    @Test
    @DisplayName("are classes that exist")
    void classes() {
        Set<String> types = new LinkedHashSet<>();
        files(".java").forEach(file -> all(TYPE, text(file)).forEach(types::add));
        for (String language : List.of(".py", ".go", ".ts", ".js")) {
            for (Path file : files("clients", language)) {
                TYPE_ELSEWHERE
                        .matcher(text(file))
                        .results()
                        .forEach(found -> types.add(found.group(found.group(1) == null ? 2 : 1)));
            }
        }
        all(ALERT, text(ROOT.resolve("examples/deploy/alerts/prometheus-rules.yaml")))
                .forEach(types::add);
        Set<String> unknown = new TreeSet<>();
        documents().forEach(file -> all(IN_TEXT, text(file)).forEach(name -> note(unknown, types, file, name)));
        files("package-info.java")
                .forEach(file -> all(IN_JAVADOC, text(file)).forEach(name -> note(unknown, types, file, name)));
        assertThat(unknown).isEmpty();
    }

    private static void note(Set<String> unknown, Set<String> types, Path file, String name) {
        if (!types.contains(name) && !FOREIGN.contains(name) && !isOfTheJdk(name)) {
            unknown.add(name + " in " + ROOT.relativize(file));
        }
    }

    private static boolean isOfTheJdk(String name) {
        for (String place : JDK) {
            try {
                Class.forName(place + name);
                return true;
            } catch (ClassNotFoundException e) {
                // perhaps in the next one
            }
        }
        return false;
    }

    @Test
    @DisplayName("are files that exist")
    void links() {
        Set<String> unknown = new TreeSet<>();
        for (Path file : documents()) {
            for (String link : all(LINK, text(file))) {
                if (!link.contains("://") && !link.startsWith("mailto:") && !Files.exists(file.resolveSibling(link))) {
                    unknown.add(link + " in " + ROOT.relativize(file));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("are commands that exist")
    void commands() {
        String reference = text(ROOT.resolve("docs/CLI.md"));
        Set<String> unknown = new TreeSet<>();
        for (Path file : documents()) {
            Matcher named = COMMAND.matcher(text(file));
            while (named.find()) {
                String first = named.group(1);
                boolean alone = reference.contains("\n## holdfast " + first + "\n");
                boolean group = reference.contains("\n## holdfast " + first + " ");
                boolean whole = named.group(2) != null
                        && reference.contains("\n## holdfast " + first + " " + named.group(2) + "\n");
                if (!HIDDEN.contains(first) && !whole && (group ? named.group(2) != null && !alone : !alone)) {
                    unknown.add("holdfast " + first + " in " + ROOT.relativize(file));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("are exit codes that a command can end with")
    void exitCodes() throws IllegalAccessException {
        Set<String> known = new TreeSet<>(Set.of("128")); // and the number of a signal
        for (Field code : ExitCodes.class.getFields()) {
            known.add(String.valueOf(code.get(null)));
        }
        List<String> told = new ArrayList<>();
        Set<String> unknown = new TreeSet<>();
        for (Path file : documents()) {
            for (String code : all(EXIT_CODE, text(file))) {
                told.add(code);
                if (!known.contains(code)) {
                    unknown.add(code + " in " + ROOT.relativize(file));
                }
            }
        }
        assertThat(told).hasSizeGreaterThan(40);
        assertThat(unknown).isEmpty();
    }

    /** Documents for people; the changelog also tells of what is gone. */
    private static List<Path> documents() {
        return files(".md").stream()
                .filter(file -> !file.endsWith("CHANGELOG.md"))
                .toList();
    }

    private static List<Path> files(String ending) {
        List<Path> found = new ArrayList<>();
        tops().forEach(part -> found.addAll(files(part, ending)));
        assertThat(found).isNotEmpty();
        return found;
    }

    private static List<Path> files(String part, String ending) {
        try (Stream<Path> all = Files.walk(ROOT.resolve(part))) {
            return all.filter(file -> file.getFileName().toString().endsWith(ending) && !isBuilt(file))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What stands at the top of the project, but for hidden directories. */
    private static List<String> tops() {
        try (Stream<Path> all = Files.list(ROOT)) {
            return all.map(file -> file.getFileName().toString())
                    .filter(name -> !name.startsWith(".") && !name.equals("target"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isBuilt(Path file) {
        return file.toString().contains("/target/") || file.toString().contains("/node_modules/");
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
