package dev.holdfast.jdbc.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.jdbc.OtherClient;
import dev.holdfast.jdbc.Postgres;
import dev.holdfast.testkit.Await;
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

    private final List<OtherClient> clients = new ArrayList<>();
    private String url = "";

    @BeforeEach
    void schema() throws SQLException {
        url = freshSchema();
    }

    @AfterEach
    void end() {
        clients.forEach(OtherClient::close);
    }

    private static String freshSchema() throws SQLException {
        String url = Postgres.newest().freshSchema();
        OtherClient.createTables(url);
        return url;
    }

    private OtherClient client() throws IOException {
        OtherClient client = OtherClient.connected(url);
        clients.add(client);
        return client;
    }

    @Test
    @DisplayName("never write at once: no count is lost, tokens grow, and everybody gets turns")
    void turns() throws Exception {
        int each = 150;
        for (int i = 0; i < 3; i++) {
            client();
        }
        for (OtherClient client : clients) {
            client.tell("turns " + each);
        }
        clients.forEach(client -> client.awaitSaid("done"));
        assertConsistent();
        assertThat(clients).allSatisfy(client -> assertThat(client.turns()).isGreaterThan(each / 2));
        assertThat(counter())
                .isEqualTo(clients.stream().mapToInt(OtherClient::turns).sum());
    }

    @Test
    @DisplayName("one that comes to a lock which another takes again and again without a break gets its turns")
    void comesLate() throws Exception {
        OtherClient busy = client();
        busy.tell("turns " + MANY);
        Await.until("it is at full speed", () -> busy.turns() > 500);
        OtherClient late = client();
        late.tell("turns 10");
        late.awaitSaid("done");
        assertThat(late.turns()).isEqualTo(10);
        assertConsistent();
    }

    @Test
    @DisplayName("a holder that is killed is followed by the others when its lease ends, with nothing repaired by hand")
    void killedHolder() throws Exception {
        OtherClient holder = client();
        OtherClient one = client();
        OtherClient two = client();
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        one.tell("turns " + MANY);
        two.tell("turns " + MANY);
        holder.kill();
        Await.until("the others go on", () -> one.turns() > 20 && two.turns() > 20);
        assertConsistent();
        assertThat(tokens()).allMatch(next -> next > token);
    }

    @Test
    @DisplayName("processes killed at any moment leave the count right and the lock usable")
    void killedAnywhere() throws Exception {
        OtherClient survivor = client();
        survivor.tell("turns " + MANY);
        for (int i = 0; i < 5; i++) {
            OtherClient victim = client();
            victim.tell("turns " + MANY);
            int enough = 5 + 7 * i;
            Await.until("the victim is busy", () -> victim.turns() >= enough);
            victim.kill();
            int before = survivor.turns();
            Await.until("the survivor goes on", () -> survivor.turns() > before + 5);
        }
        assertConsistent();
        int acknowledged = clients.stream().mapToInt(OtherClient::turns).sum();
        assertThat(counter()).isGreaterThanOrEqualTo(acknowledged);
    }

    @Test
    @DisplayName("a holder that stood still beyond its lease sees that it is lost, and does not write")
    void pausedHolder() throws Exception {
        OtherClient holder = client();
        OtherClient other = client();
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        holder.pause();
        other.tell("turns " + MANY);
        Await.until("the other goes on", () -> other.turns() > 20);
        holder.resume();
        assertThat(holder.ask("write", "lost")).isNotEmpty();
        assertThat(holder.ask("overwrite", "stale")).isEmpty();
        assertThat(holder.ask("release", "released")).isEqualTo("false");
        assertConsistent();
        assertThat(tokens()).doesNotContain(token);
        holder.tell("turns 5");
        holder.awaitSaid("done");
        assertThat(holder.turns()).isEqualTo(5);
    }

    @Test
    @DisplayName("a process that stands still in the queue does not hold up those behind it for long")
    void pausedWaiter() throws Exception {
        OtherClient holder = client();
        OtherClient waiter = client();
        OtherClient behind = client();
        holder.ask("hold " + LONG_LEASE, "held");
        waiter.tell("turns 1");
        awaitQueue(1);
        behind.tell("turns 20");
        awaitQueue(2);
        waiter.pause();
        holder.ask("release", "released");
        behind.awaitSaid("done");
        assertThat(behind.turns()).isEqualTo(20);
        waiter.resume();
        waiter.awaitSaid("done");
        assertConsistent();
    }

    @Test
    @DisplayName("those who start at the same moment on an empty schema all get their turn")
    void startTogether() throws Exception {
        for (int i = 0; i < 5; i++) {
            clients.add(OtherClient.start());
        }
        for (int round = 0; round < 6; round++) {
            url = freshSchema();
            int before = clients.get(0).said().size();
            for (OtherClient client : clients) {
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
        OtherClient giver = client();
        OtherClient taker = client();
        giver.ask("hold " + LONG_LEASE, "held");
        List<Long> took = new ArrayList<>();
        for (int i = 0; i < handOvers; i++) {
            int heard = taker.said().size();
            taker.tell("hold " + LONG_LEASE);
            awaitQueue(1);
            long start = System.nanoTime();
            giver.tell("release");
            OtherClient waiting = taker;
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
