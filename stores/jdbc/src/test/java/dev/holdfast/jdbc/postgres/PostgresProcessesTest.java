package dev.holdfast.jdbc.postgres;

import static dev.holdfast.testkit.process.TurnTaker.awaitTurns;
import static dev.holdfast.testkit.process.TurnTaker.turns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.Postgres;
import dev.holdfast.jdbc.PostgresTurns;
import dev.holdfast.testkit.Await;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.TurnTaker;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@DisplayName("several processes on one PostgreSQL database")
@Execution(ExecutionMode.CONCURRENT)
class PostgresProcessesTest {
    /** More than any test waits for. */
    private static final int MANY = 1_000_000;

    private static final int SHORT_LEASE = 2_000;
    private static final int LONG_LEASE = 60_000;

    private final List<JavaProcess> clients = new ArrayList<>();
    private String url = "";

    @BeforeEach
    void schema() throws SQLException {
        url = freshSchema();
    }

    @AfterEach
    void end() {
        clients.forEach(JavaProcess::close);
    }

    private static String freshSchema() throws SQLException {
        String url = Postgres.newest().freshSchema();
        PostgresTurns.createTables(url);
        return url;
    }

    private JavaProcess client() throws IOException {
        JavaProcess client = PostgresTurns.connected(url);
        clients.add(client);
        return client;
    }

    @Test
    @DisplayName("never write at once: no count is lost, tokens grow, and everybody gets turns")
    void takeTurns() throws Exception {
        int each = 150;
        for (int i = 0; i < 3; i++) {
            client();
        }
        for (JavaProcess client : clients) {
            client.tell("turns " + each);
        }
        clients.forEach(client -> client.awaitLine("done"));
        assertConsistent();
        assertThat(clients).allSatisfy(client -> assertThat(turns(client)).isGreaterThan(each / 2));
        assertThat(counter())
                .isEqualTo(clients.stream().mapToInt(TurnTaker::turns).sum());
    }

    @Test
    @DisplayName("one that comes to a lock which another takes again and again without a break gets its turns")
    void comesLate() throws Exception {
        JavaProcess busy = client();
        busy.tell("turns " + MANY);
        awaitTurns(busy, 2_000);
        JavaProcess late = client();
        late.tell("turns 10");
        late.awaitLine("done");
        assertThat(turns(late)).isEqualTo(10);
        assertConsistent();
    }

    @Test
    @DisplayName("a holder that is killed is followed by the others when its lease ends, with nothing repaired by hand")
    void killedHolder() throws Exception {
        JavaProcess holder = client();
        JavaProcess one = client();
        JavaProcess two = client();
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        one.tell("turns " + MANY);
        two.tell("turns " + MANY);
        holder.kill();
        awaitTurns(one, 21);
        awaitTurns(two, 21);
        assertConsistent();
        assertThat(tokens()).allMatch(next -> next > token);
    }

    @Test
    @DisplayName("processes killed at any moment leave the count right and the lock usable")
    void killedAnywhere() throws Exception {
        JavaProcess survivor = client();
        survivor.tell("turns " + MANY);
        for (int i = 0; i < 5; i++) {
            JavaProcess victim = client();
            victim.tell("turns " + MANY);
            awaitTurns(victim, 5 + 7 * i);
            victim.kill();
            awaitTurns(survivor, turns(survivor) + 6);
        }
        assertConsistent();
        int acknowledged = clients.stream().mapToInt(TurnTaker::turns).sum();
        assertThat(counter()).isGreaterThanOrEqualTo(acknowledged);
    }

    @Test
    @DisplayName("a holder that stood still beyond its lease sees that it is lost, and does not write")
    void pausedHolder() throws Exception {
        JavaProcess holder = client();
        JavaProcess other = client();
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        holder.signal("STOP");
        other.tell("turns " + MANY);
        awaitTurns(other, 21);
        holder.signal("CONT");
        assertThat(holder.ask("write", "lost")).isNotEmpty();
        assertThat(holder.ask("overwrite", "stale")).isEmpty();
        assertThat(holder.ask("release", "released")).isEqualTo("false");
        assertConsistent();
        assertThat(tokens()).doesNotContain(token);
        holder.tell("turns 5");
        holder.awaitLine("done");
        assertThat(turns(holder)).isEqualTo(5);
    }

    @Test
    @DisplayName("a process that stands still in the queue does not hold up those behind it for long")
    void pausedWaiter() throws Exception {
        JavaProcess holder = client();
        JavaProcess waiter = client();
        JavaProcess behind = client();
        holder.ask("hold " + LONG_LEASE, "held");
        waiter.tell("turns 1");
        awaitQueue(1);
        behind.tell("turns 20");
        awaitQueue(2);
        waiter.signal("STOP");
        holder.ask("release", "released");
        behind.awaitLine("done");
        assertThat(turns(behind)).isEqualTo(20);
        waiter.signal("CONT");
        waiter.awaitLine("done");
        assertConsistent();
    }

    @Test
    @DisplayName("those who start at the same moment on an empty schema all get their turn")
    void startTogether() throws Exception {
        for (int i = 0; i < 5; i++) {
            clients.add(PostgresTurns.start());
        }
        for (int round = 0; round < 6; round++) {
            url = freshSchema();
            int before = clients.get(0).said().size();
            for (JavaProcess client : clients) {
                client.tell("open " + url);
                client.tell("turns 3");
                client.tell("close");
            }
            Await.until(
                    "all are done",
                    () -> clients.stream()
                            .allMatch(client -> client.said().size() >= before + 6
                                    || client.said().stream().anyMatch(line -> line.startsWith("failed"))));
            assertConsistent();
            assertThat(counter()).isEqualTo(15);
        }
    }

    @Test
    @DisplayName("one that waits is told of a release in another process, long before it would look by itself")
    void told() throws Exception {
        int handOvers = 20;
        JavaProcess giver = client();
        JavaProcess taker = client();
        giver.ask("hold " + LONG_LEASE, "held");
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < handOvers; i++) {
            int heard = taker.said().size();
            taker.tell("hold " + LONG_LEASE);
            awaitQueue(1);
            long start = System.nanoTime();
            giver.tell("release");
            JavaProcess waiting = taker;
            Await.until("it is handed over", () -> waiting.said().size() > heard);
            took.add(Duration.ofNanos(System.nanoTime() - start).toMillis());
            taker = giver;
            giver = waiting;
        }
        // Looking by itself happens once a second, counted from when it began to wait: that is just before the release.
        long median = took.stream().sorted().toList().get(handOvers / 2);
        assertThat(median).as("hand-overs in ms: %s", took).isLessThan(500);
    }

    // ---- what the database says

    private void awaitQueue(int length) {
        Await.until(
                length + " wait",
                () -> numbers("select coalesce(json_array_length(body -> 'queue'), 0) from holdfast_lock")
                        .equals(List.of((long) length)));
    }

    private long counter() {
        return numbers("select value from counter").get(0);
    }

    private List<Long> tokens() {
        return numbers("select token from journal order by number");
    }

    /** In one look: the others may be at it. */
    private void assertConsistent() {
        assertThat(numbers("select value - (select count(*) from journal) from counter"))
                .as("counts lost")
                .containsExactly(0L);
        List<Long> tokens = tokens();
        assertThat(LongStream.range(1, tokens.size()).filter(i -> tokens.get((int) i) <= tokens.get((int) i - 1)))
                .as("where tokens do not grow")
                .isEmpty();
        assertThat(clients)
                .allSatisfy(client -> assertThat(client.said())
                        .noneMatch(line -> line.startsWith("violated") || line.startsWith("failed")));
    }

    private List<Long> numbers(String query) {
        try {
            return Postgres.query(url, query).stream().map(Long::valueOf).toList();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
