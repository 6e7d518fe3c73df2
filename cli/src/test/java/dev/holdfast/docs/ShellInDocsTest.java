package dev.holdfast.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.cli.ProgramClasses;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Types what the pages tell people to type, and compares what comes with what they promise. The blocks of a page go into one shell, one
 * after the other, in an empty directory, with a server of their own; see {@link PageBlock} for the notes above them.
 */
@DisplayName("what the pages tell people to type")
class ShellInDocsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> SHELLS = Set.of("sh", "bash", "console");
    /** Written by the program itself; its examples are checked by HelpTest. */
    private static final Set<String> GENERATED = Set.of("docs/CLI.md");

    private static final String ADMIN = "hf_docs_0123456789abcdef0123456789abcdef";
    private static final String ADMIN_SHA256 = "735e416a7146ffb36a03a321a5b6e2c89542055dda1a7cd54f9dd033e9b1434f";
    private static final long PAGE_SECONDS = 120;

    @TempDir
    private static Path temporary;

    private static Path directory;
    private static Path place;
    private static int port;
    private static JavaProcess bridge;
    private static String bridgePort;

    @BeforeAll
    static void prepare() throws IOException {
        assumeTrue(isThere("bash") && isThere("curl"), "needs bash and curl");
        directory = Files.createDirectory(temporary.resolve("page"));
        place = Files.createDirectory(temporary.resolve("place"));
        for (String name : List.of("holdfast", "prelude.sh")) {
            try (InputStream in = Objects.requireNonNull(ShellInDocsTest.class.getResourceAsStream(name), name)) {
                Files.copy(in, temporary.resolve(name));
            }
        }
        assertThat(temporary.resolve("holdfast").toFile().setExecutable(true)).isTrue();
        Files.createSymbolicLink(temporary.resolve("holdfast-own"), Path.of("holdfast"));
        port = Ports.free();
        bridge = JavaProgram.of(CommandBridge.class)
                .heap("256m")
                .in(directory)
                .without("HOLDFAST_")
                .with(Map.of("HOLDFAST_SERVER", url(port), "HOME", temporary.toString()))
                .merged()
                .start();
        String line = bridge.awaitLine("port ");
        bridgePort = line.substring(line.lastIndexOf(' ') + 1);
    }

    @AfterAll
    static void end() {
        if (bridge != null) {
            bridge.close();
        }
    }

    @TestFactory
    @DisplayName("works, and shows what they promise")
    Stream<DynamicTest> pages() {
        return documents().stream()
                .map(file -> PageBlock.of(ROOT, file))
                .filter(blocks -> blocks.stream().anyMatch(ShellInDocsTest::isRun))
                .map(blocks -> DynamicTest.dynamicTest(
                        blocks.get(0).page(), () -> assertThat(problems(blocks)).isEmpty()));
    }

    @Test
    @DisplayName("is known as such: every block says what language it is in")
    void languages() {
        assertThat(documents().stream()
                        .flatMap(file -> PageBlock.of(ROOT, file).stream())
                        .filter(block -> block.language().isEmpty())
                        .map(PageBlock::place))
                .isEmpty();
    }

    @Test
    @DisplayName("is left out only with a reason, and only where something would be run")
    void reasons() {
        List<PageBlock> noted = documents().stream()
                .flatMap(file -> PageBlock.of(ROOT, file).stream())
                .filter(block -> block.note("not run").isPresent())
                .toList();
        assertThat(noted).isNotEmpty().allSatisfy(block -> {
            assertThat(block.language()).as(block.place()).isIn(SHELLS);
            assertThat(block.note("not run").orElseThrow()).as(block.place()).hasSizeGreaterThan(8);
        });
    }

    @Test
    @DisplayName("is told with its page and line when it breaks its promise")
    void told() throws Exception {
        List<PageBlock> blocks = PageBlock.of(
                "docs/PAGE.md",
                List.of(
                        "Text.",
                        "```sh",
                        "holdfast ls",
                        "false",
                        "```",
                        "```console",
                        "$ echo one",
                        "two",
                        "```",
                        "```sh",
                        "curl \"http://127.0.0.1:8080/v2/overview\"      # 404 {\"gone\":true}",
                        "```",
                        "<!-- exit: 5 -->",
                        "```sh",
                        "sh -c 'exit 5'",
                        "```"));
        assertThat(problems(blocks))
                .hasSize(4)
                .anyMatch(problem -> problem.startsWith("docs/PAGE.md:3: ") && problem.contains("1 false"))
                .anyMatch(problem -> problem.startsWith("docs/PAGE.md:7: ") && problem.contains("promises: two"))
                .anyMatch(problem -> problem.startsWith("docs/PAGE.md:11: ") && problem.contains("404"))
                .anyMatch(problem -> problem.startsWith("docs/PAGE.md:11: ") && problem.contains("gone"));
    }

    private static boolean isRun(PageBlock block) {
        return SHELLS.contains(block.language())
                && block.note("not run").isEmpty()
                && block.note("file").isEmpty();
    }

    private static List<String> problems(List<PageBlock> blocks) throws IOException, InterruptedException {
        empty(directory);
        empty(place);
        int authenticated = Ports.free();
        boolean asks =
                blocks.stream().anyMatch(block -> block.note("first").orElse("").contains("authenticated"));
        List<HoldfastServer> servers = new ArrayList<>(List.of(serve(port, List.of("--store=memory:"))));
        try {
            if (asks) {
                servers.add(serve(
                        authenticated,
                        List.of("--auth.tokens=[{\"id\":\"ops\",\"sha256\":\"" + ADMIN_SHA256
                                + "\",\"roles\":{\"*\":[\"admin\"]}}]")));
            }
            List<PageRun> runs = new ArrayList<>();
            StringBuilder script = new StringBuilder(". '" + temporary.resolve("prelude.sh") + "'\n");
            for (PageBlock block : blocks) {
                if (block.note("file").isPresent()) {
                    Path file = directory.resolve(block.note("file").orElseThrow());
                    Files.writeString(file, block.text());
                    assertThat(file.toFile().setExecutable(true)).isTrue();
                } else if (isRun(block)) {
                    PageRun run = new PageRun(block, place, url(port), runs.size());
                    script.append(run.script());
                    runs.add(run);
                }
            }
            script.append("ended\n");
            Files.writeString(place.resolve("main.sh"), script);
            Optional<String> unfinished = run(authenticated);
            List<String> problems = new ArrayList<>();
            for (PageRun run : runs) {
                problems.addAll(run.problems());
            }
            unfinished.ifPresent(problems::add);
            return problems;
        } finally {
            servers.forEach(HoldfastServer::close);
        }
    }

    private static Optional<String> run(int authenticated) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", place.resolve("main.sh").toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(place.resolve("log").toFile());
        Map<String, String> variables = builder.environment();
        variables.keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.equals("NO_COLOR"));
        variables.putAll(Map.of(
                "PATH", temporary + ":" + System.getenv("PATH"),
                "HOME", temporary.toString(),
                "USER", "app",
                "HOLDFAST_SERVER", url(port),
                "DOCS_SERVER", url(port)));
        variables.putAll(Map.of(
                "DOCS_AUTHENTICATED", url(authenticated),
                "DOCS_ADMIN", ADMIN,
                "DOCS_ROOT", ROOT.toString(),
                "DOCS_DIRECTORY", directory.toString(),
                "DOCS_PLACE", place.toString(),
                "DOCS_PORT", bridgePort,
                "DOCS_OTHER_PORT", Integer.toString(Ports.free()),
                "DOCS_PROGRAM", String.join("\n", ProgramClasses.words())));
        Process shell = builder.start();
        shell.getOutputStream().close();
        if (shell.waitFor(PAGE_SECONDS, TimeUnit.SECONDS)) {
            return Optional.empty();
        }
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
        return Optional.of("the page does not end: " + Files.readString(place.resolve("log")));
    }

    private static HoldfastServer serve(int port, List<String> more) throws IOException {
        List<String> flags = new ArrayList<>(List.of(
                "--port=" + port,
                "--data=" + Files.createTempDirectory(place, "data"),
                "--server.node=holdfast-1",
                "--server.shutdown-grace=0s"));
        flags.addAll(more);
        return HoldfastServer.start(ServerSetup.of(Settings.load(flags, Map.of(), place)));
    }

    /** README and all of docs, but for what is written by a program. */
    private static List<Path> documents() {
        try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            all.filter(file -> file.toString().endsWith(".md")))
                    .filter(file -> !GENERATED.contains(ROOT.relativize(file).toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void empty(Path parent) throws IOException {
        try (Stream<Path> all = Files.walk(parent)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                if (!file.equals(parent)) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":", -1))
                .anyMatch(part -> Files.isExecutable(Path.of(part, program)));
    }

    private static String url(int port) {
        return "http://127.0.0.1:" + port;
    }
}
