package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.http.edge.Limits;
import dev.holdfast.server.observe.logs.LoggedLines;
import dev.holdfast.testkit.Await;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;

/** A server that is treated badly, with a lock that must survive it. Closing it checks that nothing was left behind. */
final class Besieged implements AutoCloseable {
    /** Short enough to see slow clients being cut. */
    static final Duration SLOW = Duration.ofSeconds(1);

    private static final Limits LIMITS = new Limits(
            16 << 10,
            4 << 20,
            1 << 20,
            8 << 10,
            16 << 10,
            16,
            20_000,
            10_000,
            10_000,
            100_000,
            Duration.ofSeconds(75),
            SLOW);

    final TestServer server;
    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final LoggedLines log = LoggedLines.of(Logger.ROOT_LOGGER_NAME, Level.WARN);
    private final String held;

    Besieged(Path directory) {
        server = TestServer.start(
                TestServer.with(LIMITS, RateLimit.Config.UNLIMITED).on(0, "sqlite:" + directory.resolve("locks.db")));
        server.post(
                "/v2/locks/acquire",
                "{\"namespace\":\"safe\",\"name\":\"held\",\"lease_id\":\"held-before\",\"lease_ms\":3600000}");
        held = lock();
    }

    int port() {
        return server.server.port();
    }

    private String lock() {
        TestServer.Answer answer = server.get("/v2/lock?namespace=safe&name=held");
        assertThat(answer.status()).isEqualTo(200);
        return answer.body().replaceFirst(",\"server_time\":\"[^\"]*\"", "");
    }

    /** The lock is as it was, what was refused left no trace, the server is ready, and it had no reason to complain. */
    void isUnharmed() {
        assertThat(lock()).contains("\"held\":true").isEqualTo(held);
        assertThat(server.get("/v2/locks?namespace=bad").json().get("items").list())
                .isEmpty();
        assertThat(server.get("/health/ready").status()).isEqualTo(200);
        assertThat(errors()).isEmpty();
    }

    private List<String> errors() {
        return log.events().stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.ERROR))
                .map(event -> event.getFormattedMessage()
                        + (event.getThrowableProxy() == null
                                ? ""
                                : ": " + event.getThrowableProxy().getClassName() + ": "
                                        + event.getThrowableProxy().getMessage()))
                .toList();
    }

    @Override
    public void close() {
        server.close();
        log.close();
        Await.until("no thread is left of " + left(), () -> left().isEmpty());
    }

    /** The client of the tests keeps threads of its own. */
    private Set<String> left() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && thread.isAlive())
                .map(Thread::getName)
                .filter(name -> !name.matches(
                        "HttpClient.*|ForkJoinPool.*|CompletableFuture.*|Keep-Alive.*|process reaper|SQLite.*"))
                .collect(Collectors.toSet());
    }
}
