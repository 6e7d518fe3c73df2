package dev.holdfast.docs;

import static dev.holdfast.docs.Documents.ROOT;
import static dev.holdfast.docs.Documents.all;
import static dev.holdfast.docs.Documents.files;
import static dev.holdfast.docs.Documents.forPeople;
import static dev.holdfast.docs.Documents.shown;
import static dev.holdfast.docs.Documents.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.text.ExitCodes;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what documents and package maps name")
class NamesInDocsTest {
    private static final Pattern TYPE = Pattern.compile("\\b(?:class|interface|record|enum)\\s+([A-Z]\\w*)");
    /** The same in the clients in other languages; in Go functions, fields and variables are written like types. */
    private static final Pattern TYPE_ELSEWHERE =
            Pattern.compile("\\b(?:class|interface|type|func|func \\([^)]*\\))\\s+([A-Z]\\w*)|(?m)^\\s([A-Z]\\w*)\\b");
    /** What reads like a class in backquotes: two humps at least. */
    private static final Pattern IN_TEXT =
            Pattern.compile("`(?:new )?([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)(?:[.#(][^`\\n]*)?`");

    private static final Pattern IN_JAVADOC =
            Pattern.compile("\\{@(?:link|code)\\s+(?:[a-z.]+\\.)?([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)");
    /** Alone or behind its package, one hump is enough. */
    private static final Pattern ALONE_IN_JAVADOC =
            Pattern.compile("\\{@(?:link|code)\\s+(?:[a-z.]+\\.)?([A-Z][a-z]\\w*)(?:#[^}]*)?\\s*}");

    private static final Pattern DRAWING = Pattern.compile("(?s)<pre>(.*?)</pre>");
    private static final Pattern IN_DRAWING = Pattern.compile("\\b([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+)\\b");
    /** Where a command line begins: a line, an item of a list, a step of a pipeline, what follows another command. */
    private static final Pattern COMMAND =
            Pattern.compile("(?m)(?:^\\s*(?:[$#] )?(?:- (?:run: )?)?|[`;&|(=] ?|\\bsudo )(?:[\\w./]*/)?holdfast"
                    + "((?: [a-z][a-z-]*(?![\\w.:/=-]))+)");

    private static final Pattern SYNOPSIS =
            Pattern.compile("(?m)^## holdfast ([a-z -]+)\\n(?:[^#`\\n].*\\n|\\n)*```\\nholdfast \\1(?: (.*))?$");
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
            "DeleteItem",
            "DescribeTable",
            "DescribeTimeToLive",
            "DistributedLock",
            "DynamoDB",
            "DynamoDbAsyncClient",
            "GetItem",
            "KeepAliveLockProvider",
            "LockAssert",
            "LockException",
            "LockExtender",
            "LockLevel",
            "LockingTaskExecutor",
            "DefaultLockRepository",
            "ErrLocked",
            "JdbcLockRegistry",
            "LockIndex",
            "LockRegistry",
            "LockRegistryLeaderInitiator",
            "LockServiceCentral",
            "NaN",
            "PgBouncer",
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
            "UpdateItem",
            "UpdateTable",
            "UpdateTimeToLive");

    /** For whoever works on the project, and what the launcher does by itself. */
    private static final Set<String> HIDDEN = Set.of("archive-classes", "reference", "simulate", "bench", "soak");

    private final Set<String> unusedForeign = new TreeSet<>(FOREIGN);

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
        forPeople().forEach(file -> all(IN_TEXT, text(file)).forEach(name -> note(unknown, types, file, name)));
        for (Path file : files("package-info.java")) {
            String map = text(file);
            all(IN_JAVADOC, map).forEach(name -> note(unknown, types, file, name));
            all(ALONE_IN_JAVADOC, map).forEach(name -> note(unknown, types, file, name));
            all(DRAWING, map)
                    .forEach(drawing -> all(IN_DRAWING, drawing).forEach(name -> note(unknown, types, file, name)));
        }
        assertThat(unknown).isEmpty();
        assertThat(unusedForeign).as("names of others that no document has").isEmpty();
    }

    private void note(Set<String> unknown, Set<String> types, Path file, String name) {
        unusedForeign.remove(name);
        if (!types.contains(name) && !FOREIGN.contains(name) && !isOfTheJdk(name)) {
            unknown.add(shown(name, file));
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
    @DisplayName("are commands that exist, with their subcommands")
    void commands() {
        Map<String, String> synopses = new HashMap<>();
        SYNOPSIS.matcher(text(ROOT.resolve("docs/CLI.md")))
                .results()
                .forEach(found -> synopses.put(found.group(1), found.group(2)));
        assertThat(synopses).hasSizeGreaterThan(50);
        Set<String> unknown = new TreeSet<>();
        for (Path file : forPeople()) {
            for (String words : all(COMMAND, text(file))) {
                if (!isCommand(synopses, words.strip())) {
                    unknown.add(shown("holdfast" + words, file));
                }
            }
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    @DisplayName("are found as commands wherever one can begin, and not where it is no command")
    void commandsAreFound() {
        assertThat(all(COMMAND, """
                        `holdfast one` and holdfast no
                        $ ./holdfast two -x no
                        cd x && holdfast three; holdfast four | holdfast five
                        id=$(holdfast six a.b) sudo bin/holdfast seven eight
                            - holdfast nine
                            - run: ./holdfast ten
                        """))
                .containsExactly(" one", " two", " three", " four", " five", " six", " seven eight", " nine", " ten");
        Map<String, String> synopses = Map.of("state", "COMMAND", "state ls", "[OPTIONS]", "ls", "[NAME]");
        assertThat(List.of("state", "state ls", "state ls shop", "ls shop"))
                .allMatch(words -> isCommand(synopses, words));
        assertThat(List.of("state frobnicate", "frobnicate", "frobnicate ls"))
                .noneMatch(words -> isCommand(synopses, words));
    }

    /** Whether the words begin with a command; behind one that only has subcommands there is one of these, or nothing. */
    private static boolean isCommand(Map<String, String> synopses, String words) {
        String rest = words;
        while (!synopses.containsKey(rest)) {
            int end = rest.lastIndexOf(' ');
            if (end < 0) {
                return HIDDEN.contains(rest);
            }
            rest = rest.substring(0, end);
        }
        return rest.equals(words) || !"COMMAND".equals(synopses.get(rest));
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
        for (Path file : forPeople()) {
            for (String code : all(EXIT_CODE, text(file))) {
                told.add(code);
                if (!known.contains(code)) {
                    unknown.add(shown(code, file));
                }
            }
        }
        assertThat(told).hasSizeGreaterThan(40);
        assertThat(unknown).isEmpty();
    }
}
