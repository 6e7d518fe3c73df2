package dev.holdfast.server.observe.audit;

import static dev.holdfast.server.observe.Events.event;
import static dev.holdfast.server.observe.Events.stored;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.LockClient;
import dev.holdfast.model.EventType;
import dev.holdfast.model.LockKey;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.EventLog.StoredEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final LockKey JOB = LockKey.of("billing", "invoice-run");

    @TempDir
    Path directory;

    @Test
    @DisplayName("every event is one line, in the order given")
    void oneLineEach() throws IOException {
        Path path = directory.resolve("audit.log");
        List<String> expected = new ArrayList<>();
        try (AuditLog log = AuditLog.open(AuditConfig.of(Optional.of(path), false, false))) {
            for (int i = 0; i < 2_000; i++) {
                StoredEvent event = numbered(i);
                log.accept(event, Optional.empty());
                expected.add(AuditJson.line(event, Optional.empty()));
            }
        }

        assertThat(Files.readAllLines(path)).isEqualTo(expected);
    }

    @Test
    @DisplayName("fed by a lock client, the file has the history, and where it came from")
    void equalsHistory() throws Exception {
        Path path = directory.resolve("audit.log");
        List<StoredEvent> history;
        try (LockClient locks = LockClient.connect("sqlite:" + directory.resolve("locks.db"));
                AuditLog log = AuditLog.open(AuditConfig.of(Optional.of(path), false, false));
                var feed = locks.watch(event -> log.accept(event, Optional.empty()))) {
            for (int i = 0; i < 5; i++) {
                locks.acquire("job-" + i).close();
            }
            await(() -> lines(path) >= 10);
            history = new ArrayList<>(locks.inspect().history(EventQuery.newest(100)));
        }
        Collections.reverse(history);

        assertThat(Files.readAllLines(path))
                .isEqualTo(history.stream()
                        .map(event -> AuditJson.line(event, Optional.empty()))
                        .toList())
                .allMatch(line -> line.endsWith(",\"principal\":null,\"remote_addr\":null}"));
    }

    @Test
    @DisplayName("while the file cannot be written events wait, and are written when it can")
    void waitsForTheFile() throws Exception {
        Path path = directory.resolve("audit.log");
        try (AuditLog log = AuditLog.open(AuditConfig.of(Optional.of(path), false, false))) {
            Files.delete(path);
            Files.createDirectory(path);
            log.accept(numbered(1), Optional.empty());
            log.accept(numbered(2), Optional.empty());
            await(log::isFailing);
            Files.delete(path);
            await(() -> lines(path) == 2);

            assertThat(log.lost()).isZero();
        }
    }

    @Test
    @DisplayName("what finds the queue full is counted, and does not hold up the caller")
    void lostIsCounted() throws Exception {
        Path path = directory.resolve("audit.log");
        AuditLog log = AuditLog.open(new AuditConfig(Optional.of(path), 1_000_000, 2, false, 10, false));
        Files.delete(path);
        Files.createDirectory(path);

        long start = System.nanoTime();
        for (int i = 0; i < 10_000; i++) {
            log.accept(numbered(i), Optional.empty());
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
        assertThat(log.lost()).isBetween(8_000L, 9_990L);

        Files.delete(path);
        log.close();
        assertThat(lines(path) + log.lost()).isEqualTo(10_000);
    }

    @Test
    @DisplayName("a file that cannot be opened at the start is refused")
    void refusedAtStart() {
        assertThatThrownBy(() -> AuditLog.open(AuditConfig.of(Optional.of(directory), false, false)))
                .isInstanceOf(IOException.class);
    }

    @Test
    @DisplayName("what must be written first is written, or refused at once; then it is not written later either")
    void writeFirst() throws Exception {
        Path path = directory.resolve("audit.log");
        try (AuditLog log = AuditLog.open(AuditConfig.of(Optional.of(path), false, true))) {
            AuditEntry entry = AuditEntry.done(
                    AuditEntry.Action.STATE_READ,
                    new AuditedCaller("ci", "192.0.2.7", "req-1"),
                    "/state/shop/prod",
                    Map.of("version", "v1"));
            log.writeFirst(entry, Instant.parse("2024-01-15T14:25:42.123Z")).get(20, TimeUnit.SECONDS);
            assertThat(Files.readAllLines(path))
                    .containsExactly(
                            "{\"timestamp\":\"2024-01-15T14:25:42.123Z\",\"level\":\"INFO\",\"event\":\"state.read\","
                                    + "\"outcome\":\"done\",\"resource\":\"/state/shop/prod\",\"metadata\":{\"version\":\"v1\"},"
                                    + "\"request_id\":\"req-1\",\"principal\":\"ci\",\"remote_addr\":\"192.0.2.7\"}");
            Files.delete(path);
            Files.createDirectory(path);
            log.accept(numbered(1), Optional.empty()); // waits for the file, and must not hold up the others
            await(log::isFailing);
            for (int i = 0; i < 3; i++) {
                var refused = log.writeFirst(entry, Instant.now());
                assertThatThrownBy(() -> refused.get(20, TimeUnit.SECONDS)).hasRootCauseInstanceOf(IOException.class);
            }
            Files.delete(path);
            await(() -> lines(path) == 1);
            log.writeFirst(entry, Instant.now()).get(20, TimeUnit.SECONDS);
            assertThat(lines(path)).as("what was refused is not there").isEqualTo(2);
        }
    }

    private static StoredEvent numbered(long number) {
        return stored(number, event(EventType.ACQUIRED, JOB, Duration.ZERO));
    }

    private static long lines(Path path) {
        try {
            return Files.isRegularFile(path) ? Files.readAllLines(path).size() : 0;
        } catch (IOException e) {
            return 0;
        }
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
