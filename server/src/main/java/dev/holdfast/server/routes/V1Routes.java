package dev.holdfast.server.routes;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Account;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
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
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.server.observe.tracing.Span;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code /v1/{namespace}/lock/{lockName}}: the calls of LockServiceCentral. Its clients know neither lease ids nor tokens: the
 * caller's name and its instanceId stand for the acquisition, renewing adds, and ends are whole seconds. The token travels in the
 * header {@code Fencing-Token}. A grant whose answer gets lost is not given back, as it is in {@code /v2}: the same instance asks
 * again and has it.
 */
record V1Routes(LockCalls locks) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{3,64}");
    private static final String NAMES = "must have 3 to 64 of letters, digits, '_' and '-'";
    private static final int MAX_SECONDS = 86_400;

    private record V1Caller(RecordKey key, String owner, String instanceId, long seconds, LeaseId identity) {
        LockKey whole() {
            return new LockKey(key, LockPath.WHOLE);
        }

        Duration lease() {
            return Duration.ofSeconds(seconds);
        }
    }

    // ---- the calls

    CompletableFuture<Reply> get(Call call) {
        RecordKey key = key(call);
        call.require(Role.READ, key);
        return locks.inspector()
                .getAsync(new LockKey(key, LockPath.WHOLE))
                .thenApply(lock -> Reply.ok(json -> {
                    name(json, key);
                    if (!lock.isFree()) {
                        json.writeStringField("owner", lock.holders().get(0).owner());
                        Instant end = lock.holders().get(0).expiresAt().orElse(Times.NEVER);
                        json.writeNumberField("expiry", expiry(end));
                    }
                }));
    }

    CompletableFuture<Reply> acquire(Call call) {
        V1Caller asker = asker(call, true);
        locks.admit(call, asker.key());
        Account account = call.principal().account();
        Terms terms = new Terms(asker.lease(), Duration.ZERO, Duration.ZERO, Map.of(), "", account);
        Request request = new Request(
                asker.key(),
                asker.identity(),
                Scope.WHOLE,
                asker.owner(),
                terms,
                Duration.ZERO,
                Duration.ZERO,
                call.cause());
        long start = System.nanoTime();
        Span span = call.span().child("acquire", asker.whole());
        Acquisition acquisition = locks.engine().reacquire(request);
        return call.here(acquisition.answer()).handle((answer, failure) -> {
            locks.acquired(call, span, request, start, answer);
            if (answer == null) {
                throw StageContinuation.failed(failure);
            }
            return answer.result() instanceof AcquireResult.Granted granted
                    ? lease(asker, granted.hold(), asker.seconds())
                    : refusal(asker, answer.result() instanceof AcquireResult.Busy busy ? busy.holders() : List.of());
        });
    }

    CompletableFuture<Reply> renew(Call call) {
        V1Caller asker = asker(call, true);
        Span span = call.span().child("renew", asker.whole());
        return call.here(locks.engine().extend(asker.key(), asker.identity(), asker.lease()))
                .handle((answer, failure) -> {
                    if (answer == null) {
                        locks.renewed(asker.whole(), RenewalOutcome.UNKNOWN, span);
                        throw StageContinuation.failed(failure);
                    }
                    return answer.result()
                            .fold(
                                    renewed -> {
                                        locks.renewed(asker.whole(), RenewalOutcome.RENEWED, span);
                                        Hold hold = renewed.hold();
                                        return lease(
                                                asker,
                                                hold,
                                                hold.terms().lease().toSeconds());
                                    },
                                    lost -> {
                                        locks.renewed(asker.whole(), RenewalOutcome.LOST, span);
                                        return refusal(asker, answer.record().holds());
                                    });
                });
    }

    CompletableFuture<Reply> release(Call call) {
        V1Caller asker = asker(call, false);
        return call.here(locks.engine()
                        .release(
                                asker.key(),
                                new Command.Release(asker.identity(), Command.Ending.RELEASED),
                                call.cause()))
                .thenApply(answer -> {
                    boolean released = answer.result() == ReleaseResult.RELEASED;
                    locks.meters().released(released ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
                    // Or nobody holds what the caller did not hold either. What expired has been judged with the
                    // release.
                    return released || answer.record().holds().isEmpty()
                            ? Reply.ok(json -> {
                                json.writeBooleanField("success", true);
                                name(json, asker.key());
                            })
                            : refusal(asker, answer.record().holds());
                });
    }

    // ---- what is asked

    private static RecordKey key(Call call) {
        List<String> problems = Stream.of("namespace", "lockName")
                .filter(what -> !NAME.matcher(call.name(what)).matches())
                .map(what -> what + " " + NAMES)
                .toList();
        if (!problems.isEmpty()) {
            throw Problem.invalid(problems);
        }
        return new RecordKey(call.name("namespace"), call.name("lockName"));
    }

    private V1Caller asker(Call call, boolean withDuration) {
        RecordKey key = key(call);
        call.require(Role.LOCK, key);
        JsonFields fields = call.fields();
        String instanceId = fields.text("instanceId", V1Routes::instanceId, "---");
        long seconds = withDuration ? fields.integer("leaseDuration", 1, maxSeconds()) : 1;
        fields.check();
        String owner = call.principal().name();
        return new V1Caller(key, owner, instanceId, seconds, LeaseId.ofInstance(owner, instanceId));
    }

    private long maxSeconds() {
        return Math.min(MAX_SECONDS, locks.bounds().maxLease().toSeconds());
    }

    private static String instanceId(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(NAMES);
        }
        return text;
    }

    // ---- what is answered

    private static Reply lease(V1Caller asker, Hold hold, long seconds) {
        return Reply.ok(json -> {
                    json.writeBooleanField("success", true);
                    name(json, asker.key());
                    json.writeStringField("owner", asker.owner());
                    json.writeStringField("instanceId", asker.instanceId());
                    json.writeNumberField("leaseDuration", seconds);
                    json.writeNumberField("expiry", expiry(hold.expiresAt()));
                })
                .header("Fencing-Token", Long.toString(hold.token().value()));
    }

    private static Reply refusal(V1Caller asker, List<Hold> holders) {
        long millis = RetryAfter.of(holders, Instant.now()).toMillis();
        return Reply.json(423, json -> {
                    json.writeBooleanField("success", false);
                    name(json, asker.key());
                })
                .header("Retry-After", Long.toString(Math.max(1, (millis + 999) / 1_000)));
    }

    private static void name(JsonGenerator json, RecordKey key) throws IOException {
        json.writeStringField("namespace", key.namespace());
        json.writeStringField("lockName", key.name());
    }

    /** The last second in which it is held to the end. */
    private static long expiry(Instant end) {
        return end.minusNanos(1).getEpochSecond();
    }
}
