package dev.holdfast.guard.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.guard.probe.ProbeStatus;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("The reconciler, with a document that somebody damaged")
@Timeout(60)
class DamagedDocumentTest {
    private static final Logger LOG = (Logger) LoggerFactory.getLogger(Reconciler.class);

    private final Rig rig = new Rig();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        LOG.setLevel(Level.WARN);
        log.start();
        LOG.addAppender(log);
    }

    @AfterEach
    void close() {
        rig.close();
        LOG.detachAppender(log);
        LOG.setLevel(null);
    }

    private void damage(String document) {
        rig.documents.write(Change.put(
                document,
                Condition.none(),
                "{\"format\":1,".getBytes(StandardCharsets.UTF_8),
                Map.of("active", "yes")));
    }

    private List<String> said() {
        synchronized (log) {
            return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"\"format\":2", "\"format\":1,\"db_identifier\":\"i-a\",\"state\":\"hibernating\""})
    @DisplayName("says of a document of a newer version what to do, and not that it is damaged")
    void newer(String content) {
        rig.documents.write(Change.put(
                "guard/resources/i-a.json",
                Condition.none(),
                ("{" + content + "}").getBytes(StandardCharsets.UTF_8),
                Map.of()));
        assertThatThrownBy(() -> new GuardDocuments(rig.documents).resource("i-a"))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("guard/resources/i-a.json")
                .hasMessageContaining("newer version")
                .hasMessageContaining("upgrade")
                .hasMessageNotContaining("delete");
    }

    /** Apps with a database each, asked to stop while they still answer; then they are gone. */
    private void stopping(String... apps) throws InterruptedException {
        for (String app : apps) {
            rig.guard.register(Rig.app(app, Rig.on("i-" + app, "postgres", "db-" + app)));
            rig.stop(app);
        }
        rig.apps.are(ProbeStatus.REFUSED, apps);
    }

    @Test
    @DisplayName("stops the other resources, says which one it leaves, and goes on with that once it is repaired")
    void resource() throws Exception {
        stopping("a", "b", "c");
        byte[] whole =
                rig.documents.get("guard/resources/i-b.json").orElseThrow().content();
        damage("guard/resources/i-b.json");
        rig.running();
        Await.until("the others are stopped", () -> rig.machines.acts().size() == 2);
        assertThat(rig.machines.acts()).containsExactlyInAnyOrder("stop i-a", "stop i-c");
        Await.until(
                "it is told",
                () -> said().stream()
                        .anyMatch(line -> line.contains("i-b") && line.contains("guard/resources/i-b.json")));

        rig.documents.write(Change.put("guard/resources/i-b.json", Condition.none(), whole, Map.of("active", "yes")));
        Await.until("it is stopped too", () -> rig.machines.acts().contains("stop i-b"));
    }

    @Test
    @DisplayName(
            "stops nothing while it cannot read which databases an app uses, says which app, and goes on afterwards")
    void app() throws Exception {
        stopping("a", "b");
        byte[] whole = rig.documents.get("guard/apps/b.json").orElseThrow().content();
        damage("guard/apps/b.json");
        rig.running();
        Await.until(
                "it is told twice", // every interval
                () -> said().stream()
                                .filter(line -> line.contains("guard/apps/b.json"))
                                .count()
                        >= 2);
        assertThat(rig.machines.acts()).isEmpty();

        rig.documents.write(Change.put("guard/apps/b.json", Condition.none(), whole, Map.of()));
        Await.until("both are stopped", () -> rig.machines.acts().size() == 2);
    }
}
