package dev.holdfast.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.EngineId;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a command on its way")
class QueuedCommandTest {
    private static final RecordKey KEY = new RecordKey("default", "lock");
    private static final LeaseId ID = new LeaseId("lease-id-a");
    private static final DecidingEngine HERE = DecidingEngine.of(new EngineId("here"));

    private final LockRules rules = new LockRules();
    private final Judgement judgement = new Judgement();
    private final Instant start = Instant.parse("2026-01-01T00:00:00Z");

    private <R> Decision<R> decide(QueuedCommand<R> queued, LockRecord record, Instant now) {
        return queued.decide(rules, judgement, record, Moment.exactly(now), HERE);
    }

    @Test
    @DisplayName("a release that was sent twice in vain, and arrived first by the first, was a release")
    void secondDoubt() {
        Terms terms = Terms.of(Duration.ofSeconds(10));
        LockRecord held = new Command.Acquire(ID, Scope.WHOLE, "pod", terms, Optional.empty())
                .applyTo(rules, LockRecord.empty(KEY), Moment.exactly(start), HERE)
                .record();
        QueuedCommand<ReleaseResult> queued =
                new QueuedCommand<>(new Command.Release(ID, Command.Ending.RELEASED), Long.MAX_VALUE);

        LockRecord released = decide(queued, held, start.plusSeconds(5)).record();
        queued.doubt(held, released);
        // By now it has expired, if the release did not arrive; that is sent, and not answered either.
        LockRecord expired = decide(queued, held, start.plusSeconds(15)).record();
        queued.doubt(held, expired);
        decide(queued, released, start.plusSeconds(20)); // the first one came last

        queued.tell(Anchor.of(LocalTime.SYSTEM), released, new FailureWords(KEY, "memory"));
        assertThat(queued.future.join().result()).isEqualTo(ReleaseResult.RELEASED);

        QueuedCommand<ReleaseResult> late =
                new QueuedCommand<>(new Command.Release(ID, Command.Ending.RELEASED), Long.MAX_VALUE);
        decide(late, held, start.plusSeconds(5));
        late.doubt(held, released);
        decide(late, expired, start.plusSeconds(20));
        late.tell(Anchor.of(LocalTime.SYSTEM), expired, new FailureWords(KEY, "memory"));
        assertThat(late.future.join().result()).isEqualTo(ReleaseResult.NOT_HELD);
    }
}
