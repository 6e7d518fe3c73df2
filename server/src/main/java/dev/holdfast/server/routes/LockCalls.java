package dev.holdfast.server.routes;

import dev.holdfast.Inspector;
import dev.holdfast.LockClient;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.audit.AuditTrail;
import dev.holdfast.server.observe.metrics.AcquireOutcome;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.Rejection;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.server.observe.tracing.Span;
import dev.holdfast.server.observe.tracing.Tracing;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What the calls need: the engine, a way to look, and who is told what they do. */
public record LockCalls(
        LockEngine engine,
        LockClient client,
        Meters meters,
        Tracing tracing,
        Waiters waiters,
        LockQuota quota,
        LeaseBounds bounds,
        AuditTrail trail) {

    public void admit(Call call, RecordKey key) {
        if (!quota.admits(call.share(), key)) {
            meters.rejected(Rejection.LOCKS);
            throw Problem.refusal(
                    429,
                    "too-many-locks",
                    "This caller has used as many different locks as it may, and the store keeps the record of"
                            + " each for a while. Reuse names instead of making up new ones, or ask for a"
                            + " higher server.limits.locks-per-principal",
                    Duration.ofMinutes(1));
        }
    }

    /** Tells everybody who counts or follows how an attempt to acquire was answered; a failure has no answer. */
    void acquired(Call call, Span span, Request request, long start, @Nullable Answer<AcquireResult> answer) {
        LockKey key = new LockKey(request.key(), request.scope().paths().get(0));
        AcquireOutcome outcome = answer == null ? AcquireOutcome.ERROR : outcome(answer.result());
        meters.acquired(key, outcome, Duration.ofNanos(System.nanoTime() - start));
        if (answer != null && answer.result() instanceof AcquireResult.Granted granted) {
            tracing.granted(request.leaseId(), key, granted.hold().token(), call.span());
            span.token(granted.hold().token());
        }
        span.end(outcome.label(), answer == null);
    }

    private static AcquireOutcome outcome(AcquireResult result) {
        return result.fold(
                granted -> AcquireOutcome.GRANTED,
                queued -> AcquireOutcome.QUEUED,
                busy -> AcquireOutcome.BUSY,
                lost -> AcquireOutcome.LOST);
    }

    void renewed(LockKey key, RenewalOutcome outcome, Span span) {
        meters.renewed(key, outcome);
        span.end(outcome.label(), outcome == RenewalOutcome.UNKNOWN);
    }

    Inspector inspector() {
        return client.inspect();
    }
}
