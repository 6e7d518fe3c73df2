package dev.holdfast.cli.languages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.cli.CliServer;
import dev.holdfast.cli.Main;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of docs/tasks/from-any-language.md, run against a server. */
@Execution(ExecutionMode.CONCURRENT)
class LanguagesTest {
    private static final Path PAGE = Path.of("../docs/tasks/from-any-language.md");
    private static final Duration LEASE = Duration.ofSeconds(6);
    private static final int LOST = 76;

    /** It answers all of them at a time, but for who stops it. */
    private static final String SERVER = "server";

    /** Longer than a test takes: what works for so long does not end by itself. */
    private static final int LONG = 300;

    @TempDir
    static Path directory;

    private static ServerProcess server;

    private final List<JavaProcess> started = new ArrayList<>();

    @BeforeAll
    static void serve() throws InterruptedException {
        server = CliServer.start(directory, Map.of()).ready();
    }

    @AfterAll
    static void end() {
        server.close();
    }

    @AfterEach
    void endPrograms() {
        started.forEach(JavaProcess::close);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    @DisplayName("two runs exclude each other; the second says that it waits, and goes on with a greater token")
    void exclusion(Language language) throws Exception {
        JavaProcess first = start(language, "turns-" + language);
        long before = token(first);
        JavaProcess second = start(language, "turns-" + language);
        second.awaitLine("waiting, place 1, behind ");
        assertThat(second.hasSaid("granted")).isFalse();

        first.signal("TERM");

        assertThat(token(second)).isGreaterThan(before);
        assertThat(first.exit()).isNotZero();
        second.signal("TERM");
        second.exit();
        assertThat(server.get("/v2/lock?namespace=default&name=turns-" + language)
                        .body())
                .contains("\"held\":false");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    @DisplayName("work that ends in time ends with success, longer than its lease, and the lock is free")
    void success(Language language) throws Exception {
        int longerThanTheLease = (int) LEASE.toSeconds() + 2;
        JavaProcess program = start(language, "done-" + language, longerThanTheLease);

        assertThat(program.exit()).isZero();
        assertThat(program.said()).last().asString().isEqualTo("released");
        assertThat(server.get("/v2/lock?namespace=default&name=done-" + language)
                        .body())
                .contains("\"held\":false");
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    @ResourceLock(value = SERVER, mode = ResourceAccessMode.READ)
    @DisplayName("a lock that an operator ended stops the work")
    void forced(Language language) throws Exception {
        String name = "forced-" + language;
        JavaProcess program = start(language, name);
        long token = token(program);

        assertThat(server.post(
                                "/v2/locks/force-unlock",
                                "{\"namespace\":\"default\",\"name\":\"" + name + "\",\"fencing_token\":" + token
                                        + ",\"reason\":\"a test\"}")
                        .statusCode())
                .isEqualTo(200);

        program.awaitLine("lost, stopped");
        assertThat(program.exit()).isEqualTo(LOST);
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    @ResourceLock(SERVER)
    @DisplayName("a server that no longer answers: the work has stopped before the lease ends")
    void silence(Language language) throws Exception {
        JavaProcess program = start(language, "silence-" + language);
        token(program);
        server.signal("STOP");
        try {
            long lastAnswer = System.nanoTime(); // at the latest: the lease counts from an earlier request

            program.awaitLine("lost, stopped");

            assertThat(Duration.ofNanos(System.nanoTime() - lastAnswer)).isLessThan(LEASE);
            assertThat(program.exit()).isEqualTo(LOST);
        } finally {
            server.signal("CONT");
        }
    }

    @ParameterizedTest
    @EnumSource(Language.class)
    @DisplayName("the page shows the program as it is")
    void shown(Language language) throws IOException {
        assertThat(Files.readString(PAGE)).contains("\n" + language.text() + "```\n");
    }

    private JavaProcess start(Language language, String lock) throws IOException, InterruptedException {
        return start(language, lock, LONG);
    }

    private JavaProcess start(Language language, String lock, int seconds) throws IOException, InterruptedException {
        JavaProcess program = JavaProgram.of(Main.class)
                .without("HOLDFAST_")
                .with(Map.of(
                        "HOLDFAST_SERVER", server.url(),
                        "HOLDFAST_LEASE_SECONDS", Long.toString(LEASE.toSeconds())))
                .merged()
                .start(language.words(directory, lock, seconds));
        started.add(program);
        return program;
    }

    private static long token(JavaProcess program) {
        String line = program.awaitLine("granted, fencing token ");
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
    }
}
