package dev.holdfast.dynamodb;

import static dev.holdfast.testkit.process.TurnTaker.awaitTurns;
import static dev.holdfast.testkit.process.TurnTaker.turns;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.TurnTaker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("several processes on one DynamoDB table")
class DynamoProcessesTest {
    /** More than any test waits for. */
    private static final int MANY = 1_000_000;

    private static final int SHORT_LEASE = 2_000;

    private final String table = Dynamo.freshTable();
    private final DynamoCounter counter = new DynamoCounter(Dynamo.client(), table);
    private final List<JavaProcess> clients = new ArrayList<>();

    @BeforeEach
    void create() {
        counter.create();
    }

    @AfterEach
    void end() {
        clients.forEach(JavaProcess::close);
    }

    private JavaProcess client() {
        return clients(1).get(0);
    }

    /** They start at the same time. */
    private List<JavaProcess> clients(int count) {
        List<JavaProcess> started = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            started.add(DynamoTurns.start(table));
        }
        clients.addAll(started);
        started.forEach(client -> client.awaitLine("open"));
        return started;
    }

    @Test
    @DisplayName("never write at once: no count is lost, tokens grow, and everybody gets turns")
    void takeTurns() throws Exception {
        int each = 12;
        for (JavaProcess client : clients(3)) {
            client.tell("turns " + each);
        }
        clients.forEach(client -> client.awaitLine("done"));
        assertConsistent();
        assertThat(counter.value())
                .isEqualTo(clients.stream().mapToInt(TurnTaker::turns).sum());
        assertThat(clients).allSatisfy(client -> assertThat(turns(client)).isGreaterThan(each / 2));
    }

    @Test
    @DisplayName("a holder that is killed is followed by the others when its lease ends, with nothing repaired by hand")
    void killedHolder() throws Exception {
        List<JavaProcess> both = clients(2);
        JavaProcess holder = both.get(0);
        JavaProcess one = both.get(1);
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        one.tell("turns " + MANY);
        holder.kill();
        awaitTurns(one, 6);
        assertConsistent();
        assertThat(tokens()).allMatch(next -> next > token);
    }

    @Test
    @DisplayName("processes killed at any moment leave the count right and the lock usable")
    void killedAnywhere() throws Exception {
        JavaProcess survivor = client();
        List<JavaProcess> victims = clients(2);
        survivor.tell("turns " + MANY);
        for (JavaProcess victim : victims) {
            victim.tell("turns " + MANY);
            awaitTurns(victim, 2 + 3 * victims.indexOf(victim));
            victim.kill();
            awaitTurns(survivor, turns(survivor) + 6);
        }
        assertConsistent();
        int acknowledged = clients.stream().mapToInt(TurnTaker::turns).sum();
        assertThat(counter.value()).isGreaterThanOrEqualTo(acknowledged);
    }

    @Test
    @DisplayName("a holder that stood still beyond its lease sees that it is lost, and does not write")
    void pausedHolder() throws Exception {
        List<JavaProcess> both = clients(2);
        JavaProcess holder = both.get(0);
        JavaProcess other = both.get(1);
        long token = Long.parseLong(holder.ask("hold " + SHORT_LEASE, "held"));
        holder.signal("STOP");
        other.tell("turns " + MANY);
        awaitTurns(other, 6);
        holder.signal("CONT");
        assertThat(holder.ask("write", "lost")).isNotEmpty();
        assertThat(holder.ask("release", "released")).isEqualTo("false");
        assertConsistent();
        assertThat(tokens()).doesNotContain(token);
    }

    private List<Long> tokens() {
        return tokens(counter.item());
    }

    private static List<Long> tokens(Map<String, AttributeValue> item) {
        return item.get("tokens").l().stream()
                .map(token -> Long.valueOf(token.n()))
                .toList();
    }

    /** In one look: the others may be at it. */
    private void assertConsistent() {
        Map<String, AttributeValue> item = counter.item();
        List<Long> tokens = tokens(item);
        assertThat(Long.parseLong(item.get("count").n())).as("counts").isEqualTo(tokens.size());
        assertThat(LongStream.range(1, tokens.size()).filter(i -> tokens.get((int) i) <= tokens.get((int) i - 1)))
                .as("where tokens do not grow")
                .isEmpty();
        assertThat(clients)
                .allSatisfy(client -> assertThat(client.said())
                        .noneMatch(line -> line.startsWith("violated") || line.startsWith("failed")));
    }
}
