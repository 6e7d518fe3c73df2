package dev.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Account;
import dev.holdfast.model.Cause;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("after a write that was lost against another writer")
class BackoffTest {
    private static final LeaseId HOLDER = new LeaseId("lease-of-holder");
    private static final LeaseId OTHER = new LeaseId("lease-of-other");
    private static final Terms TERMS = Terms.of(Duration.ofSeconds(10));

    private final Machine machine = new ThreadMachine("test");
    private final LockRecord held = acquire(HOLDER)
            .applyTo(
                    new LockRules(),
                    LockRecord.empty(new RecordKey("default", "lock")),
                    Moment.exactly(Instant.parse("2026-01-01T00:00:00Z")),
                    DecidingEngine.of(new EngineId("here")))
            .record();

    @AfterEach
    void close() {
        machine.close();
    }

    private static Command.Acquire acquire(LeaseId id) {
        return new Command.Acquire(id, Scope.WHOLE, "pod", TERMS, Optional.empty());
    }

    /** How long it waits, from the first conflict to the last. */
    private List<Duration> pauses(Command<?>... commands) {
        List<QueuedCommand<?>> queued = new ArrayList<>();
        for (Command<?> command : commands) {
            queued.add(new QueuedCommand<>(
                    command,
                    Cause.OWNER,
                    machine.time().nanos() + Duration.ofMinutes(1).toNanos()));
        }
        Backoff backoff = new Backoff(machine);
        List<Duration> pauses = new ArrayList<>();
        while (true) {
            Optional<Duration> pause = backoff.afterConflict(queued, held, Optional.empty());
            if (pause.isEmpty()) {
                return pauses;
            }
            pauses.add(pause.get());
        }
    }

    @Test
    @DisplayName("who asks for the lock tries at once a few times, then steps aside, and gives up in the end")
    void others() {
        List<Duration> pauses = pauses(acquire(OTHER));
        assertThat(pauses).hasSize(Backoff.MAX_CONFLICTS - 1);
        assertThat(pauses.subList(0, 3)).containsOnly(Duration.ZERO);
        assertThat(pauses.subList(3, pauses.size())).allMatch(pause -> !pause.isZero());
        assertThat(pauses(new Command.Touch(Duration.ofMinutes(2))).subList(3, 20))
                .allMatch(pause -> !pause.isZero());
    }

    @Test
    @DisplayName("whoever holds does not step aside: not to renew, to give back, or to be told that it holds")
    void holder() {
        assertThat(pauses(new Command.Release(HOLDER, Command.Ending.RELEASED))).containsOnly(Duration.ZERO);
        assertThat(pauses(new Command.Renew(HOLDER, Optional.empty(), Account.NONE)))
                .containsOnly(Duration.ZERO);
        assertThat(pauses(acquire(HOLDER))).containsOnly(Duration.ZERO);
        assertThat(pauses(acquire(OTHER), new Command.Release(HOLDER, Command.Ending.RELEASED)))
                .as("together with others")
                .containsOnly(Duration.ZERO);
    }

    @Test
    @DisplayName("a failing store is asked again later each time, within what its callers have left")
    void failures() {
        QueuedCommand<?> queued = new QueuedCommand<>(
                acquire(OTHER),
                Cause.OWNER,
                machine.time().nanos() + Duration.ofMillis(400).toNanos());
        Backoff backoff = new Backoff(machine);
        for (int i = 0; i < 50; i++) {
            assertThat(backoff.afterFailure(List.of(queued))).isBetween(Duration.ofMillis(2), Duration.ofMillis(100));
        }
    }
}
