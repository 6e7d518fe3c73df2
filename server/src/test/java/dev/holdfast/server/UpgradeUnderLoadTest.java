package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.testkit.Await;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients go on while a replica on old data is joined by another and then goes. Both are of this version: with real old programs, {@code
 * bin/try-upgrade} does the same.
 */
@DisplayName("Old data, while clients go on,")
class UpgradeUnderLoadTest {
    private static final int CLIENTS = 4;
    private static final int ROUNDS_EACH_STAGE = 20;

    @TempDir
    private Path directory;

    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicInteger rounds = new AtomicInteger();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong lastToken = new AtomicLong();
    private final AtomicLong turns = new AtomicLong();
    private final AtomicReference<List<Client>> targets = new AtomicReference<>(List.of());
    private final Queue<String> broken = new ConcurrentLinkedQueue<>();

    /** What a holder does: alone, and with a token above all before. */
    private void work(long token) {
        if (inside.incrementAndGet() != 1) {
            broken.add("two holders at token " + token);
        }
        if (lastToken.getAndSet(token) >= token) {
            broken.add("token " + token + " is not above the one before");
        }
        inside.decrementAndGet();
        rounds.incrementAndGet();
    }

    private void awaitRounds(String stage) {
        int goal = rounds.get() + ROUNDS_EACH_STAGE;
        Await.until("clients go on " + stage, () -> rounds.get() >= goal || !broken.isEmpty());
        assertThat(broken).as(stage).isEmpty();
    }

    /** Runs until told to end; whatever it throws is a finding. */
    private static void start(ExecutorService threads, AtomicBoolean done, Queue<String> broken, Step step) {
        threads.execute(() -> {
            try {
                while (!done.get()) {
                    step.take();
                }
            } catch (Exception | AssertionError e) {
                broken.add(e.toString());
            }
        });
    }

    private interface Step {
        void take() throws Exception;
    }

    private void end(ExecutorService threads) throws InterruptedException {
        done.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
        assertThat(broken).isEmpty();
    }

    @Test
    @DisplayName(
            "PostgreSQL: a replica starts, the earlier one stops, and nobody is refused, doubled or given an old token")
    void postgres() throws Exception {
        String url = RecordedVersion.PAST_WITH_TIMES.inPostgres();
        ExecutorService threads = Executors.newCachedThreadPool();
        TestServer first = new Setup().store(url).start();
        TestServer second = first;
        try {
            targets.set(List.of(Client.of(first)));
            for (int i = 0; i < CLIENTS; i++) {
                start(threads, done, broken, () -> {
                    String lease = "load-" + turns.incrementAndGet() + "-000";
                    if (acquired(lease)) {
                        released(lease);
                    }
                });
            }
            awaitRounds("on the first replica");
            second = new Setup().store(url).start();
            targets.set(List.of(Client.of(first), Client.of(second)));
            awaitRounds("on both");
            targets.set(List.of(Client.of(second)));
            first.close();
            awaitRounds("on the second alone");
            end(threads);
        } finally {
            done.set(true);
            threads.shutdownNow();
            first.close();
            second.close();
        }
        assertThat(fences(url)).allMatch(fence -> fence > 0);
    }

    private Client next() {
        List<Client> all = targets.get();
        return all.get((int) (turns.incrementAndGet() % all.size()));
    }

    /** Asks until it is granted: a server that stops tells waiters to come back with the same id. */
    private boolean acquired(String lease) {
        return asked(lease, client -> {
            Answer answer = client.acquire("load", lease, "\"wait_ms\":2000");
            if (answer.status() == 200) {
                work(answer.json().get("fencing_token").number());
            }
            return answer;
        });
    }

    private void released(String lease) {
        asked(lease, client -> client.release("load", lease));
    }

    private boolean asked(String lease, Function<Client, Answer> call) {
        for (int i = 0; i < 50 && !done.get(); i++) {
            try {
                Answer answer = call.apply(next());
                if (answer.status() == 200) {
                    return true;
                }
                assertThat(answer.status()).as(answer.body()).isIn(202, 503);
            } catch (UncheckedIOException e) {
                // That replica is gone. The id says which request it is, wherever it is asked again.
            }
        }
        assertThat(done).as("'%s' was never answered", lease).isTrue();
        return false;
    }

    private static List<Long> fences(String url) throws SQLException {
        String database = url.substring(url.lastIndexOf('/') + 1);
        List<Long> fences = new ArrayList<>();
        try (Connection connection = Postgres.server().connect(database);
                Statement run = connection.createStatement();
                var rows = run.executeQuery("select fence from holdfast_lock")) {
            while (rows.next()) {
                fences.add(rows.getLong(1));
            }
        }
        return fences;
    }

    @Test
    @DisplayName("SQLite: a program opens the file that another uses, and both take turns with growing tokens")
    void sqlite() throws Exception {
        String url = RecordedVersion.PAST_WITH_TIMES.embeddedIn(directory);
        ExecutorService threads = Executors.newCachedThreadPool();
        LockClient first = LockClient.connect(url, ClientConfig.DEFAULT.withNamespace("old"));
        LockClient second = first;
        try {
            long before = RecordedVersion.PAST_WITH_TIMES.fence("ended");
            lastToken.set(before);
            use(threads, first);
            awaitRounds("in the first program");
            second = LockClient.connect(url, ClientConfig.DEFAULT.withNamespace("old"));
            use(threads, second);
            awaitRounds("in both");
            end(threads);
        } finally {
            done.set(true);
            threads.shutdownNow();
            first.close();
            second.close();
        }
    }

    private void use(ExecutorService threads, LockClient client) {
        for (int i = 0; i < CLIENTS / 2; i++) {
            start(threads, done, broken, () -> {
                try (Lease lease = client.acquire("ended", options -> options.waitUpTo(Duration.ofSeconds(30)))) {
                    work(lease.token().value());
                }
            });
        }
    }
}
