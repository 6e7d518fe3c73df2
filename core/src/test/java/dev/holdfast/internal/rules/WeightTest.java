package dev.holdfast.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Cause;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.PastJson;
import dev.holdfast.spi.RecordCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** No sequence of commands makes a record heavier than a store must take. */
class WeightTest {
    private static final EngineId HERE = new EngineId("here");
    private static final EngineId THERE = new EngineId("e".repeat(64));
    private static final Moment NOW = Moment.exactly(Instant.parse("2026-01-01T00:00:00Z"));
    private static final Duration LEASE = Duration.ofHours(24);

    private final LockRules rules = new LockRules();
    private LockRecord record = LockRecord.empty(new RecordKey("n".repeat(64), "日".repeat(512)));

    @Test
    @DisplayName("holders with the heaviest metadata")
    void heavyHolders() {
        int granted = 0;
        for (int i = 0; i < LockRecord.MAX_HOLDS; i++) {
            granted +=
                    acquire(i, Mode.SHARED, heavy(), Optional.empty(), HERE) instanceof AcquireResult.Granted ? 1 : 0;
        }
        assertThat(granted).isPositive();
        assertWithinBounds();
    }

    @Test
    @DisplayName("waiters who bring the heaviest metadata when they are all granted at once")
    void heavyWaitersGrantedTogether() {
        acquire(-1, Mode.EXCLUSIVE, Terms.of(LEASE), Optional.empty(), HERE);
        Map<LeaseId, DecidingEngine.Parking> parked = new HashMap<>();
        for (int i = 0; i < LockRecord.MAX_QUEUE; i++) {
            acquire(i, Mode.SHARED, heavy(), Optional.of(Duration.ofSeconds(3)), HERE);
            parked.put(id(i), new DecidingEngine.Parking(heavy(), Cause.OWNER));
        }
        record = rules.release(
                        record,
                        new Command.Release(id(-1), Command.Ending.RELEASED),
                        NOW,
                        new DecidingEngine(HERE, parked, Cause.OWNER))
                .record();
        assertThat(record.holds()).isNotEmpty();
        assertWithinBounds();
    }

    @Test
    @DisplayName("offers, which carry their place in the queue with them")
    void heavyOffers() {
        acquire(-1, Mode.EXCLUSIVE, Terms.of(LEASE), Optional.empty(), HERE);
        List<LockPath> paths = new ArrayList<>();
        for (int i = 0; i < Scope.MAX_PATHS; i++) {
            paths.add(LockPath.of(i + "日".repeat(505)));
        }
        Scope wide = new Scope(paths, Mode.SHARED);
        for (int i = 0; i < LockRecord.MAX_QUEUE; i++) {
            Command.Acquire ask = new Command.Acquire(
                    id(i), wide, "日".repeat(512), Terms.of(LEASE), Optional.of(Duration.ofSeconds(3)));
            record = rules.acquire(record, ask, NOW, DecidingEngine.of(THERE)).record();
        }
        assertWithinBounds();
        record = rules.release(
                        record, new Command.Release(id(-1), Command.Ending.RELEASED), NOW, DecidingEngine.of(HERE))
                .record();
        assertWithinBounds();
    }

    @Test
    @DisplayName("holders who ask again with heavier metadata")
    void heavierTheSecondTime() {
        for (int i = 0; i < 60; i++) {
            acquire(i, Mode.SHARED, Terms.of(LEASE), Optional.empty(), HERE);
        }
        for (int i = 0; i < 60; i++) {
            acquire(i, Mode.SHARED, heavy(), Optional.empty(), HERE);
        }
        assertWithinBounds();
    }

    @Test
    @DisplayName("as many ordinary holders fit as a record may have: a permit limit of 1000 can be reached")
    void ordinaryHolders() {
        record = LockRecord.empty(new RecordKey("default", "pool"));
        int granted = 0;
        for (int i = 0; i < LockRecord.MAX_HOLDS; i++) {
            Scope scope = Scope.of(LockPath.WHOLE, Mode.permit(Mode.MAX_LIMIT));
            Command.Acquire ask = new Command.Acquire(
                    LeaseId.ofBits(i, i), scope, "host-" + i, Terms.of(Duration.ofSeconds(30)), Optional.empty());
            Decision<AcquireResult> decision = rules.acquire(record, ask, NOW, DecidingEngine.of(HERE));
            record = decision.record();
            granted += decision.result() instanceof AcquireResult.Granted ? 1 : 0;
        }
        assertThat(granted).isEqualTo(LockRecord.MAX_HOLDS);
        assertWithinBounds();
    }

    private AcquireResult acquire(int number, Mode mode, Terms terms, Optional<Duration> claim, EngineId engine) {
        Scope scope = Scope.of(LockPath.WHOLE, mode);
        Command.Acquire ask = new Command.Acquire(id(number), scope, "日".repeat(512), terms, claim);
        Decision<AcquireResult> decision = rules.acquire(record, ask, NOW, DecidingEngine.of(engine));
        record = decision.record();
        return decision.result();
    }

    private static Terms heavy() {
        return new Terms(
                LEASE,
                Duration.ofSeconds(30),
                Duration.ofHours(24),
                Map.of("key", "日".repeat(Terms.MAX_METADATA - 3)),
                "日".repeat(512));
    }

    private static LeaseId id(int number) {
        return new LeaseId("x".repeat(120) + (10_000 + number));
    }

    private void assertWithinBounds() {
        int bytes = RecordCodec.body(record).getBytes(StandardCharsets.UTF_8).length
                + PastJson.write(record.past()).getBytes(StandardCharsets.UTF_8).length;
        assertThat(bytes).isLessThanOrEqualTo(LockRecord.MAX_BYTES);
    }
}
