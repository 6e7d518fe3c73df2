package dev.holdfast.guard.actuator.builtin;

import static dev.holdfast.guard.actuator.Acts.done;
import static dev.holdfast.guard.actuator.Acts.dry;
import static dev.holdfast.guard.actuator.Acts.failure;
import static dev.holdfast.guard.actuator.Acts.target;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.Acts;
import dev.holdfast.guard.actuator.Actuator;
import dev.holdfast.guard.actuator.FakeEndpoint;
import dev.holdfast.guard.actuator.FakeEndpoint.Answer;
import dev.holdfast.guard.actuator.FakeEndpoint.Asked;
import dev.holdfast.guard.actuator.HttpCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The webhook actuator")
final class HttpActuatorTest {
    @TempDir
    Path directory;

    private final Deque<Answer> answers = new ConcurrentLinkedDeque<>();
    private volatile String state = "running";
    /** Done once, when the next request has come and is not answered yet. */
    private final AtomicReference<Runnable> arrived = new AtomicReference<>(() -> {});

    private FakeEndpoint webhook;
    private Actuator actuator;

    @BeforeEach
    void open() throws IOException {
        webhook = new FakeEndpoint(
                this::answer, asked -> arrived.getAndSet(() -> {}).run());
        Path secret = Files.writeString(directory.resolve("token"), "s3cret-token\n");
        actuator = Acts.actuator(Map.of(
                "type",
                "http",
                "stop_url",
                webhook.url() + "/db/{db_identifier}/stop",
                "start_url",
                webhook.url() + "/db/{db_identifier}/start",
                "status_url",
                webhook.url() + "/db/{db_identifier}",
                "token_file",
                secret.toString(),
                "poll",
                "5ms",
                "settle",
                "100ms"));
    }

    @AfterEach
    void close() {
        webhook.close();
    }

    private Answer answer(Asked asked) {
        if (asked.method().equals("GET")) {
            return new Answer(200, "{\"state\":\"" + state + "\",\"more\":[1,2.5,{}]}");
        }
        if (!answers.isEmpty()) {
            return answers.remove();
        }
        state = asked.path().endsWith("/stop") ? "stopped" : "running";
        return new Answer(202, "");
    }

    private List<Asked> posts() {
        return webhook.asked.stream()
                .filter(asked -> asked.method().equals("POST"))
                .toList();
    }

    @Test
    @DisplayName("posts what is to be done with the token and a key, and asks what came of it")
    void stopAndStart() {
        assertThat(done(actuator.stop(target("db1:5432/x y", 42))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(posts()).singleElement().satisfies(post -> {
            assertThat(post.path()).isEqualTo("/db/db1%3A5432%2Fx%20y/stop");
            assertThat(post.header("Idempotency-Key")).matches("holdfast-stop-42-[0-9a-f]{32}");
            assertThat(post.header("Authorization")).isEqualTo("Bearer s3cret-token");
            assertThat(post.body())
                    .isEqualTo(
                            "{\"action\":\"stop\",\"db_identifier\":\"db1:5432/x y\",\"types\":[\"postgres\",\"neo4j\"],"
                                    + "\"fencing_token\":42,\"reason\":\"nobody needs it\"}");
        });
        assertThat(done(actuator.start(target("db1:5432/x y", 43))).now()).isEqualTo(ResourceState.RUNNING);
    }

    @Test
    @DisplayName("does not repeat itself when a newer token came meanwhile")
    void overtakenBetweenRepeats() {
        arrived.set(() -> {
            done(actuator.start(target("db1", 8)));
            answers.add(new Answer(503, "busy"));
        });
        assertThat(actuator.stop(target("db1", 7))).isEqualTo(new ActResult.Stale(8));
        assertThat(posts()).extracting(Asked::path).containsExactly("/db/db1/stop", "/db/db1/start");
        assertThat(state).isEqualTo("running");
    }

    @Test
    @DisplayName("repeats itself with the same key when the line is cut or the server is busy")
    void repeats() {
        answers.addAll(List.of(new Answer(503, "busy"), new Answer(0, "")));
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPED);
        assertThat(posts()).hasSizeGreaterThanOrEqualTo(3);
        assertThat(posts())
                .extracting(post -> post.header("Idempotency-Key"))
                .containsOnly(posts().get(0).header("Idempotency-Key"));
    }

    @Test
    @DisplayName("learns from the other end that a newer token was there, and refuses an older one itself")
    void stale() {
        answers.add(new Answer(409, "{\"newer_token\":50}"));
        assertThat(actuator.stop(target("db1", 42))).isEqualTo(new ActResult.Stale(50));
        assertThat(state).isEqualTo("running");

        done(actuator.start(target("db1", 51)));
        int before = posts().size();
        assertThat(actuator.stop(target("db1", 50))).isEqualTo(new ActResult.Stale(51));
        assertThat(posts()).hasSize(before);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {302, 400, 401, 404, 409, 500})
    @DisplayName("fails with what the other end said")
    void refused(int code) {
        answers.add(new Answer(code, "{\"error\":\"not today\"}"));
        assertThat(failure(actuator.stop(target("db1", 7))))
                .contains("HTTP " + code)
                .contains("not today")
                .doesNotContain("s3cret");
        assertThat(posts()).hasSize(1);
    }

    @Test
    @DisplayName("asks only for the state in a dry run")
    void dryRun() {
        assertThat(done(actuator.stop(dry("db1", 7))).now()).isEqualTo(ResourceState.RUNNING);
        assertThat(posts()).isEmpty();
    }

    @Test
    @DisplayName("does not believe an answer that nothing follows from")
    void doesNotStop() {
        answers.add(new Answer(200, "{}"));
        assertThat(failure(actuator.stop(target("db1", 7)))).contains("reads back as running");
    }

    @Test
    @DisplayName("says that a stop goes on")
    void goesOn() {
        answers.add(new Answer(200, ""));
        state = "stopping";
        assertThat(done(actuator.stop(target("db1", 7))).now()).isEqualTo(ResourceState.STOPPING);
    }

    @Test
    @DisplayName("ends at the time limit when the other end is silent")
    void silent() {
        answers.add(new Answer(-1, ""));
        long began = System.nanoTime();
        assertThat(failure(actuator.stop(target("db1", 7, Duration.ofSeconds(1)))))
                .contains("not known");
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(12));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"\"} nonsense", "asleep", "", "\\", "running\"} {\""})
    @DisplayName("cannot say what a state means that it does not know")
    void unknownState(String word) {
        state = word;
        assertThat(actuator.state(target("db1", 7))).isEqualTo(ResourceState.UNKNOWN);
    }

    @Test
    @DisplayName("reads no answer without end")
    void longAnswer() {
        answers.add(new Answer(200, "x".repeat(HttpCalls.MOST_READ + 10)));
        answers.add(new Answer(200, "x".repeat(HttpCalls.MOST_READ + 10)));
        answers.add(new Answer(200, "x".repeat(HttpCalls.MOST_READ + 10)));
        assertThat(failure(actuator.stop(target("db1", 7)))).contains("longer than");
    }
}
