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
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Later;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.observe.metrics.ReleaseOutcome;
import dev.holdfast.server.observe.metrics.RenewalOutcome;
import dev.holdfast.server.observe.tracing.Span;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * {@code POST /v2/locks/renew} and {@code /v2/locks/release}: many leases at once, each with an outcome of its own. What is not
 * known because the store failed is told as unknown, never as lost.
 */
record LeaseRoutes(Locks locks) {
    private static final int MAX_LEASES = 10_000;
    /** Stands in for what is missing, until all that is wrong has been told. */
    private static final LeaseId NOBODY = new LeaseId("--------");

    private record Named(RecordKey key, LeaseId leaseId, Optional<Duration> lease, Command<ReleaseResult> release) {}

    CompletableFuture<Reply> renew(Call call) {
        List<CompletableFuture<JsonText.Part>> results = new ArrayList<>();
        for (Named named : named(call, true)) {
            Span span = call.span().child("renew", whole(named.key()));
            results.add(locks.engine()
                    .renew(
                            named.key(),
                            named.leaseId(),
                            named.lease(),
                            call.principal().accountFor(named.key()))
                    .handle((answer, failure) -> renewed(named, answer, failure, span)));
        }
        return all(call, results);
    }

    CompletableFuture<Reply> release(Call call) {
        List<CompletableFuture<JsonText.Part>> results = new ArrayList<>();
        for (Named named : named(call, false)) {
            results.add(locks.engine()
                    .release(named.key(), named.release(), call.cause())
                    .handle((answer, failure) -> released(named, answer, failure)));
        }
        return all(call, results);
    }

    // ---- what is asked

    private List<Named> named(Call call, boolean renews) {
        JsonFields fields = call.fields();
        List<Named> all = new ArrayList<>();
        for (JsonFields entry : fields.objects("leases", MAX_LEASES)) {
            RecordKey key = LockParameters.key(entry);
            LeaseId leaseId = entry.text("lease_id", LockParameters::leaseId, NOBODY);
            Optional<Duration> lease = renews
                    ? entry.optionalInteger(
                                    "lease_ms",
                                    Terms.MIN_LEASE.toMillis(),
                                    locks.bounds().maxLease().toMillis())
                            .map(Duration::ofMillis)
                    : Optional.empty();
            all.add(new Named(
                    key,
                    leaseId,
                    lease,
                    renews
                            ? new Command.Withdraw(leaseId)
                            : release(leaseId, entry, call.principal().accountFor(key))));
        }
        fields.check();
        call.requireAnywhere(Role.LOCK);
        all.forEach(named -> call.require(Role.LOCK, named.key()));
        return all;
    }

    /**
     * Given back in the ordinary way, after once-only work was done under it, before anything was done under it, or because its
     * holder lost it; or only if nobody was told of it since it was confirmed; or only its place in the queue.
     */
    private static Command<ReleaseResult> release(LeaseId leaseId, JsonFields entry, Account account) {
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
            return new Command.Withdraw(leaseId);
        }
        if (confirmation.isPresent()) {
            return new Command.GiveBack(leaseId, List.of(Times.ofMicros(confirmation.get())));
        }
        Command.Ending plain = unused ? Command.Ending.UNUSED : Command.Ending.RELEASED;
        return new Command.Release(leaseId, done.orElse(lost ? Command.Ending.LOST : plain), account);
    }

    private static LockKey whole(RecordKey key) {
        return new LockKey(key, LockPath.WHOLE);
    }

    // ---- what is answered

    private JsonText.Part renewed(
            Named named, @Nullable Answer<RenewResult> answer, @Nullable Throwable failure, Span span) {
        if (answer == null) {
            locks.renewed(whole(named.key()), RenewalOutcome.UNKNOWN, span);
            return unknown(named, failure);
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
                            return result(named, "renewed", json -> LeaseJson.renewed(json, renewed.hold()));
                        },
                        lost -> {
                            locks.renewed(whole(named.key()), RenewalOutcome.LOST, span);
                            return result(
                                    named,
                                    "lost",
                                    json -> json.writeStringField("reason", LeaseJson.label(lost.reason())));
                        });
    }

    private JsonText.Part released(Named named, @Nullable Answer<ReleaseResult> answer, @Nullable Throwable failure) {
        if (answer == null) {
            locks.meters().released(ReleaseOutcome.UNKNOWN);
            return unknown(named, failure);
        }
        boolean released = answer.result() == ReleaseResult.RELEASED;
        locks.meters().released(released ? ReleaseOutcome.RELEASED : ReleaseOutcome.NOT_HELD);
        Optional<LostReason> ended = released ? Optional.empty() : why(answer.record(), named.leaseId());
        return result(named, released ? "released" : "not_held", json -> {
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

    private static JsonText.Part unknown(Named named, @Nullable Throwable failure) {
        String reason = failure == null
                ? "no answer"
                : String.valueOf(Later.cause(failure).getMessage());
        return result(named, "unknown", json -> json.writeStringField("reason", reason));
    }

    private static JsonText.Part result(Named named, String outcome, JsonText.Part more) {
        return json -> LeaseJson.result(json, named.leaseId(), outcome, more);
    }

    private static CompletableFuture<Reply> all(Call call, List<CompletableFuture<JsonText.Part>> results) {
        return call.here(CompletableFuture.allOf(results.toArray(CompletableFuture[]::new)))
                .thenApply(done -> Reply.ok(json -> JsonText.values(
                        json, "results", results, (out, result) -> result.join().write(out))));
    }
}
