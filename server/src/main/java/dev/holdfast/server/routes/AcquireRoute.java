package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.StageContinuation;
import dev.holdfast.server.observe.metrics.Rejection;
import dev.holdfast.server.observe.tracing.Span;
import dev.holdfast.server.survey.LockFilter;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * {@code POST /v2/locks/acquire}: take the lock, or wait for it. A wait that ends without it keeps its place for whoever sends
 * the same lease id again; so does one whose client went away. A grant that cannot be delivered is given back.
 */
record AcquireRoute(LockCalls locks) {
    CompletableFuture<Reply> answer(Call call) {
        JsonFields fields = call.fields();
        Duration wait = Duration.ofMillis(
                fields.optionalInteger("wait_ms", 0, locks.bounds().longPoll().toMillis())
                        .orElse(0L));
        Request request = request(call, fields, wait);
        fields.check();
        call.require(Role.LOCK, request.key());
        locks.admit(call, request.key());
        boolean waits = !request.waitFor().isZero();
        if (waits && !locks.waiters().enter(request.key().namespace(), call.share())) {
            throw tooManyWaiters("in namespace '" + request.key().namespace() + "', or of this caller,")
                    .refused();
        }
        long start = System.nanoTime();
        Span span = span(call, request);
        Acquisition acquisition = locks.engine().acquire(request);
        call.ifGone(acquisition::leave);
        if (waits) {
            locks.waiters().park(acquisition, call.standing());
        }
        CompletableFuture<Answer<AcquireResult>> answered =
                call.whileStanding(call.here(acquisition.answer()), acquisition::cancel);
        return answered.handle((answer, failure) -> {
            if (waits) {
                locks.waiters().leave(request.key().namespace(), call.share());
            }
            locks.acquired(call, span, request, start, answer);
            if (answer == null) {
                throw StageContinuation.failed(failure);
            }
            return reply(request, answer, acquisition, start);
        });
    }

    /** The same as one of many, which wait for nobody. */
    BatchOperation operation(Call call, JsonFields fields) {
        Request request = request(call, fields, Duration.ZERO);
        return new BatchOperation(request.key(), () -> locks.admit(call, request.key()), undo -> {
            long start = System.nanoTime();
            Span span = span(call, request);
            Acquisition acquisition = locks.engine().acquire(request);
            undo.add(acquisition::cancel);
            return acquisition.answer().handle((answer, failure) -> {
                locks.acquired(call, span, request, start, answer);
                return answer == null ? BatchOperation.unknown(request.leaseId(), failure) : result(request, answer);
            });
        });
    }

    private static Span span(Call call, Request request) {
        return call.span()
                .child(
                        "acquire",
                        new LockKey(request.key(), request.scope().paths().get(0)));
    }

    // ---- what is asked

    /** What these fields ask for; what is wrong with them is told by whoever has all of them checked. */
    Request request(Call call, JsonFields fields, Duration wait) {
        LockKey named = LockParameters.lock(fields);
        RecordKey key = named.record();
        Scope scope = scope(fields, named, mode(fields));
        String owner = fields.optionalText("owner", LockParameters::owner)
                .orElse(call.principal().name());
        LeaseId leaseId = fields.optionalText("lease_id", LockParameters::leaseId)
                .orElseGet(() -> locks.engine().newLeaseId());
        Duration lease = Duration.ofMillis(fields.integer(
                "lease_ms",
                Terms.MIN_LEASE.toMillis(),
                locks.bounds().maxLease().toMillis()));
        Terms terms = terms(fields, lease);
        return new Request(
                key,
                leaseId,
                scope,
                owner,
                terms.by(call.principal().account()),
                wait,
                wait.isZero() ? Duration.ZERO : locks.bounds().keepPlace(),
                call.cause());
    }

    private static Terms terms(JsonFields fields, Duration lease) {
        Map<String, String> metadata = fields.texts("metadata");
        String reason = fields.optionalText("reason", LockParameters::reason).orElse("");
        Duration every = fields.optionalInteger("renew_every_ms", 0, lease.toMillis())
                .map(Duration::ofMillis)
                .orElseGet(() -> Terms.renewal(lease));
        Duration minHold = Duration.ofMillis(fields.optionalInteger("min_hold_ms", 0, Terms.MAX_LEASE.toMillis())
                .orElse(0L));
        try {
            return new Terms(lease, every, minHold, metadata, reason);
        } catch (IllegalArgumentException e) { // everything else has been checked
            fields.wrong("metadata", "is not allowed: " + e.getMessage());
            return Terms.of(lease);
        }
    }

    /** One path, or several that are taken together or not at all. */
    private static Scope scope(JsonFields fields, LockKey named, Mode mode) {
        Optional<LockPath> path = LockParameters.path(fields, named);
        List<LockPath> paths = fields.list("paths", Scope.MAX_PATHS, LockPath::of);
        if (paths.isEmpty()) {
            return Scope.of(path.orElse(LockPath.WHOLE), mode);
        }
        if (path.isPresent()) {
            fields.wrong("paths", "must be left out if path or the name already says which part");
        }
        try {
            return new Scope(paths, mode);
        } catch (IllegalArgumentException e) {
            fields.wrong("paths", "is not allowed: " + e.getMessage());
            return Scope.WHOLE;
        }
    }

    private static Mode mode(JsonFields fields) {
        Mode.Kind kind = fields.optionalText("mode", LockFilter::mode).orElse(Mode.Kind.EXCLUSIVE);
        Optional<Long> limit = fields.optionalInteger("limit", 1, Mode.MAX_LIMIT);
        if (kind == Mode.Kind.PERMIT && limit.isEmpty()) {
            fields.wrong("limit", "is needed for mode permit");
        } else if (kind != Mode.Kind.PERMIT && limit.isPresent()) {
            fields.wrong("limit", "is only for mode permit");
        }
        return switch (kind) {
            case EXCLUSIVE -> Mode.EXCLUSIVE;
            case SHARED -> Mode.SHARED;
            case PERMIT -> Mode.permit(limit.orElse(1L).intValue());
        };
    }

    // ---- what is answered

    private Reply reply(Request request, Answer<AcquireResult> answer, Acquisition acquisition, long arrived) {
        return answer.result()
                .fold(
                        granted -> granted(answer, granted, acquisition, arrived),
                        queued -> {
                            // It has a place, from a call that waits; this one does not.
                            if (request.waitFor().isZero()) {
                                throw held(request.key(), queued.holders(), queued.position())
                                        .refused();
                            }
                            return queued(request, queued);
                        },
                        busy -> {
                            throw busy(request, busy).refused();
                        },
                        lost -> {
                            throw lost(lost.reason()).refused();
                        });
    }

    /**
     * The lease counts from when it was decided, which a client can tell on its own clock: not before it sent the request, and
     * so much later.
     */
    private static Reply granted(
            Answer<AcquireResult> answer, AcquireResult.Granted granted, Acquisition acquisition, long arrived) {
        long waited = Math.floorDiv(answer.anchor().nanos() - arrived, 1_000_000L);
        Hold hold = granted.hold();
        return Reply.ok(json -> {
                    LeaseJson.granted(json, answer.record().key(), hold);
                    LockJson.done(json, granted.done());
                })
                .header("Fencing-Token", Long.toString(hold.token().value()))
                .header("Lease-Waited-Ms", Long.toString(waited))
                .header("Lease-Confirmation", Long.toString(Times.micros(hold.renewedAt())))
                .header("Lease-Repeated", Boolean.toString(granted.again()))
                .ifUndelivered(acquisition::cancel);
    }

    private static JsonText.Part result(Request request, Answer<AcquireResult> answer) {
        return answer.result()
                .fold(
                        granted -> json -> {
                            json.writeStartObject();
                            json.writeStringField("outcome", "granted");
                            LeaseJson.granted(json, request.key(), granted.hold());
                            LockJson.done(json, granted.done());
                            json.writeEndObject();
                        },
                        queued -> held(request, queued.holders(), queued.position()),
                        busy -> held(request, busy.holders(), busy.queueLength()),
                        lost -> BatchOperation.result(
                                request.leaseId(),
                                "lost",
                                json -> json.writeStringField("reason", LeaseJson.label(lost.reason()))));
    }

    private static JsonText.Part held(Request request, List<Hold> holders, int queueLength) {
        return BatchOperation.result(request.leaseId(), "held", json -> {
            json.writeFieldName("holders");
            LockJson.holds(json, holders);
            json.writeNumberField("queue_length", queueLength);
            json.writeNumberField(
                    "retry_after_ms", RetryAfter.of(holders, Instant.now()).toMillis());
        });
    }

    private static Reply queued(Request request, AcquireResult.Queued queued) {
        return Reply.json(202, json -> {
            json.writeStringField("lease_id", request.leaseId().value());
            json.writeNumberField("position", queued.position());
            json.writeFieldName("holders");
            LockJson.holds(json, queued.holders());
        });
    }

    private Problem busy(Request request, AcquireResult.Busy busy) {
        if (busy.full() && !request.waitFor().isZero()) {
            return tooManyWaiters("for lock '" + request.key().name() + "'")
                    .with("queue_length", (long) busy.queueLength());
        }
        return held(request.key(), busy.holders(), busy.queueLength());
    }

    static Problem held(RecordKey key, List<Hold> holders, int queueLength) {
        String by = holders.isEmpty()
                ? "is reserved for the first in the queue"
                : "is held by '" + holders.get(0).owner() + "'" + why(holders.get(0));
        return Problem.of(
                        423,
                        "held",
                        "Lock '" + key.name() + "' in '" + key.namespace() + "' " + by
                                + ". Ask with wait_ms to queue for it")
                .retryAfter(RetryAfter.of(holders, Instant.now()))
                .with("holders", (JsonText.Part) json -> LockJson.holds(json, holders))
                .with("queue_length", (long) queueLength);
    }

    private static String why(Hold hold) {
        return hold.terms().reason().isEmpty() ? "" : " (" + hold.terms().reason() + ")";
    }

    private Problem tooManyWaiters(String where) {
        locks.meters().rejected(Rejection.WAITERS);
        return Problem.of(429, "too-many-waiters", "Too many requests wait " + where + " already. Ask again later")
                .retryAfter(Duration.ofSeconds(1));
    }

    static Problem lost(LostReason reason) {
        String what = reason == LostReason.REUSED
                ? "This lease_id belongs to an acquisition with another owner, mode or path, or of another principal"
                : "This lease_id belongs to an acquisition that ended (" + LeaseJson.label(reason)
                        + "); a new one needs a new lease_id";
        return Problem.of(409, reason == LostReason.REUSED ? "lease-id-reused" : "lease-lost", what)
                .with("reason", LeaseJson.label(reason));
    }
}
