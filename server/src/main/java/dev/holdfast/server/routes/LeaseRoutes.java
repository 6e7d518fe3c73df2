package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.Answer;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Account;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Terms;
import dev.holdfast.model.Times;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.server.observe.tracing.Span;
import dev.holdfast.server.survey.LockFilter;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v2/locks/renew}, {@code /v2/locks/release} and {@code /v2/locks/batch}: many leases at once, each with an outcome of its
 * own. What is not known because the store failed is told as unknown, never as lost.
 */
record LeaseRoutes(LockCalls locks, AcquireRoute acquire) {
    /** Stands in for what is missing, until all that is wrong has been told. */
    private static final LeaseId NOBODY = new LeaseId("--------");

    CompletableFuture<Reply> renew(Call call) {
        return BatchOperation.all(call, "leases", entry -> renewal(call, entry));
    }

    CompletableFuture<Reply> release(Call call) {
        return BatchOperation.all(call, "leases", entry -> ending(call, entry));
    }

    /** Many of any kind. */
    CompletableFuture<Reply> batch(Call call) {
        Function<String, Kind> kind = text -> LockFilter.spelled(Kind.values(), text);
        return BatchOperation.all(call, "operations", entry -> switch (entry.text("operation", kind, Kind.RENEW)) {
            case ACQUIRE -> acquire.operation(call, entry);
            case RENEW -> renewal(call, entry);
            case RELEASE -> ending(call, entry);
        });
    }

    private enum Kind {
        ACQUIRE,
        RENEW,
        RELEASE
    }

    // ---- what is asked

    private record NamedLease(RecordKey key, LeaseId leaseId) {
        static NamedLease in(JsonFields entry) {
            return new NamedLease(LockParameters.key(entry), entry.text("lease_id", LockParameters::leaseId, NOBODY));
        }
    }

    private BatchOperation renewal(Call call, JsonFields entry) {
        Optional<Duration> lease = entry.optionalInteger(
                        "lease_ms",
                        Terms.MIN_LEASE.toMillis(),
                        locks.bounds().maxLease().toMillis())
                .map(Duration::ofMillis);
        // Not unasked: a heartbeat for ten thousand leases would be twice as long.
        boolean whole = call.header(LeaseJson.PREFER)
                .filter(LeaseJson.WHOLE_ANSWER::equals)
                .isPresent();
        NamedLease named = NamedLease.in(entry);
        return BatchOperation.of(named.key(), () -> {
            Span span = call.span().child("renew", whole(named.key()));
            return locks.engine()
                    .renew(named.key(), named.leaseId(), lease, call.principal().accountFor(named.key()))
                    .handle((answer, failure) -> renewed(named, answer, failure, span, whole));
        });
    }

    private BatchOperation ending(Call call, JsonFields entry) {
        BiFunction<LeaseId, Account, Command<ReleaseResult>> command = release(entry);
        NamedLease named = NamedLease.in(entry);
        return BatchOperation.of(
                named.key(),
                () -> locks.engine()
                        .release(
                                named.key(),
                                command.apply(named.leaseId(), call.principal().accountFor(named.key())),
                                call.cause())
                        .handle((answer, failure) -> released(named, answer, failure)));
    }

    /**
     * Given back in the ordinary way, after once-only work was done under it, before anything was done under it, or because its
     * holder lost it; or only if nobody was told of it since it was confirmed; or only its place in the queue.
     */
    private static BiFunction<LeaseId, Account, Command<ReleaseResult>> release(JsonFields entry) {
        Optional<Command.Ending> done = entry.optionalText("done", Command.Ending::done);
        Optional<Long> confirmation = entry.optionalInteger("confirmation", 0, Long.MAX_VALUE);
        boolean lost = entry.truth("lost");
        boolean unused = entry.truth("unused");
        boolean placeOnly = entry.truth("place_only");
        long ways = Stream.of(done.isPresent(), confirmation.isPresent(), lost, unused, placeOnly)
                .filter(said -> said)
                .count();
        if (ways > 1) {
            entry.wrong("done", "and lost, unused, confirmation, place_only exclude each other");
        }
        if (placeOnly) {
            return (leaseId, account) -> new Command.Withdraw(leaseId);
        }
        if (confirmation.isPresent()) {
            List<Instant> confirmed = List.of(Times.ofMicros(confirmation.get()));
            return (leaseId, account) -> new Command.GiveBack(leaseId, confirmed);
        }
        Command.Ending plain = unused ? Command.Ending.UNUSED : Command.Ending.RELEASED;
        Command.Ending ending = done.orElse(lost ? Command.Ending.LOST : plain);
        return (leaseId, account) -> new Command.Release(leaseId, ending, account);
    }

    private static LockKey whole(RecordKey key) {
        return new LockKey(key, LockPath.WHOLE);
    }

    // ---- what is answered

    private JsonText.Part renewed(
            NamedLease named,
            @Nullable Answer<RenewResult> answer,
            @Nullable Throwable failure,
            Span span,
            boolean whole) {
        if (answer == null) {
            locks.renewed(whole(named.key()), RenewalOutcome.UNKNOWN, span);
            return BatchOperation.unknown(named.leaseId(), failure);
        }
        return answer.result()
                .fold(
                        renewed -> {
                            LockKey key = new LockKey(
                                    named.key(), renewed.hold().scope().paths().get(0));
                            locks.renewed(
                                    key,
                                    RenewalOutcome.RENEWED,
                                    span.token(renewed.hold().token()));
                            return BatchOperation.result(named.leaseId(), "renewed", json -> {
                                if (whole) {
                                    LeaseJson.renewedWhole(json, renewed.hold());
                                } else {
                                    LeaseJson.renewed(json, renewed.hold());
                                }
                            });
                        },
                        lost -> {
                            locks.renewed(whole(named.key()), RenewalOutcome.LOST, span);
                            return BatchOperation.result(
                                    named.leaseId(),
                                    "lost",
                                    json -> json.writeStringField("reason", LeaseJson.label(lost.reason())));
                        });
    }

    private JsonText.Part released(
            NamedLease named, @Nullable Answer<ReleaseResult> answer, @Nullable Throwable failure) {
        if (answer == null) {
            locks.meters().released(ReleaseOutcome.UNKNOWN);
            return BatchOperation.unknown(named.leaseId(), failure);
        }
        boolean released = answer.result() == ReleaseResult.RELEASED;
        locks.meters().released(released ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
        Optional<LostReason> ended = released ? Optional.empty() : why(answer.record(), named.leaseId());
        return BatchOperation.result(named.leaseId(), released ? "released" : "not_held", json -> {
            if (ended.isPresent()) {
                json.writeStringField("reason", LeaseJson.label(ended.get()));
            }
        });
    }

    /** It ended before, or it is held and belongs to another. */
    private static Optional<LostReason> why(LockRecord record, LeaseId leaseId) {
        return record.hold(leaseId).isPresent()
                ? Optional.of(LostReason.REUSED)
                : record.past().how(leaseId);
    }
}
