package dev.holdfast.client;

import dev.holdfast.internal.engine.leases.KeptLease;
import dev.holdfast.internal.engine.leases.Renewer;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.RenewResult;
import dev.holdfast.model.Hold;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Renews all leases of this process that are due, or soon will be, with one request. */
final class Heartbeat implements Renewer {
    private static final int MAX_LEASES = 4_000;
    /** Most that their names and ids may take: they may be long, and a server takes four megabytes. */
    private static final int MAX_BYTES = 3_000_000;
    /** What a lease takes besides: the names of the fields. */
    private static final int FIELDS = 64;
    /** The shortest lease has a renewal interval of 33 ms; a try must leave time for another. */
    private static final Duration LEAST_PATIENCE = Duration.ofMillis(250);

    /** Those that are due now come one after the other; so long the first waits for the rest. */
    private static final Duration GATHER = Duration.ofMillis(2);

    /**
     * Requests in a second that follow one that was refused as a whole. Enough to find a few leases among thousands; a client that may do
     * nothing any more must not ask about each.
     */
    private static final int MOST_ASKED_AGAIN = 128;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private static final Comparator<RecordKey> BY_NAME =
            Comparator.comparing(RecordKey::namespace).thenComparing(RecordKey::name);

    private final ServerLocks locks;
    private List<DueRenewal> due = new ArrayList<>();
    private boolean closed;
    private long secondBegan;
    private int askedAgain;

    private record DueRenewal(
            KeptLease lease, Optional<Duration> length, long deadline, CompletableFuture<Renewal> told) {}

    Heartbeat(ServerLocks locks) {
        this.locks = locks;
    }

    @Override
    public CompletableFuture<Renewal> renew(KeptLease lease, Optional<Duration> length, long deadline) {
        DueRenewal one = new DueRenewal(lease, length, deadline, new CompletableFuture<>());
        boolean first;
        synchronized (this) {
            if (closed) {
                return CompletableFuture.failedFuture(locks.transport().closedException());
            }
            due.add(one);
            first = due.size() == 1;
        }
        if (first) {
            locks.machine().after(GATHER, () -> locks.machine().run(this::send));
        }
        return one.told();
    }

    private void send() {
        List<DueRenewal> all;
        synchronized (this) {
            all = due;
            due = new ArrayList<>();
        }
        int from = 0;
        while (from < all.size()) {
            int to = from;
            for (int bytes = 0; to < all.size() && to - from < MAX_LEASES && bytes < MAX_BYTES; to++) {
                bytes += bytes(all.get(to).lease());
            }
            send(all.subList(from, to));
            from = to;
        }
    }

    /** Not less than it takes in a request: a character of a name takes at most three bytes, or two of them four. */
    private static int bytes(KeptLease lease) {
        int characters = lease.key().namespace().length() + lease.key().name().length();
        return FIELDS + 3 * characters + lease.hold().leaseId().value().length();
    }

    private void send(List<DueRenewal> some) {
        long first = some.stream().mapToLong(DueRenewal::deadline).min().orElseThrow();
        long last = some.stream().mapToLong(DueRenewal::deadline).max().orElseThrow();
        Duration third = Duration.ofNanos(Math.max(0, first - locks.now())).dividedBy(3);
        byte[] body = LeaseJson.leases(json -> {
            for (DueRenewal one : some) {
                LeaseJson.lease(json, one.lease().key(), one.lease().hold().leaseId(), more -> {
                    if (one.length().isPresent()) {
                        more.writeNumberField("lease_ms", one.length().get().toMillis());
                    }
                });
            }
        });
        Duration patience = third.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : third;
        String what = "the renewal of " + some.size() + " leases";
        ServerRequest ask = ServerRequest.of(what, "POST", "/v2/locks/renew", Optional.of(body), last, patience)
                .as(ServerRequest.Kind.URGENT);
        Stages.then(locks.transport().send(ask), (reply, failure) -> {
            if (reply != null) {
                tell(some, reply);
            } else if (failure != null && some.size() > 1 && isRefused(failure) && mayAskAgain()) {
                askAgain(some);
            } else if (failure != null) {
                some.forEach(one -> one.told().completeExceptionally(failure));
            }
        });
    }

    /** A server does all that a request asks for, or nothing: because of one that is refused, the others are not done either. */
    private static boolean isRefused(Throwable failure) {
        return failure instanceof AccessRefusedException
                || failure instanceof IllegalArgumentException
                || failure.getCause() instanceof AccessRefusedException;
    }

    /** In halves, at once. What is refused belongs together: roles are about namespaces, and about how names begin. */
    private void askAgain(List<DueRenewal> refused) {
        List<DueRenewal> sorted = new ArrayList<>(refused);
        sorted.sort(Comparator.comparing(one -> one.lease().key(), BY_NAME));
        int half = sorted.size() / 2;
        send(sorted.subList(0, half));
        send(sorted.subList(half, sorted.size()));
    }

    /** Two requests more. */
    private synchronized boolean mayAskAgain() {
        long now = locks.now();
        if (askedAgain == 0 || now - secondBegan > SECOND) {
            secondBegan = now;
            askedAgain = 0;
        }
        askedAgain += 2;
        return askedAgain <= MOST_ASKED_AGAIN;
    }

    private static void tell(List<DueRenewal> some, ServerReply reply) {
        // In the order in which they were asked: one id may name an acquisition of several locks.
        List<Json.Obj> results = reply.body().objects("results");
        for (int i = 0; i < some.size(); i++) {
            DueRenewal one = some.get(i);
            try {
                Json.Obj result = i < results.size() ? results.get(i) : null;
                one.told().complete(renewal(one.lease().hold(), result, reply));
            } catch (RuntimeException e) {
                one.told().completeExceptionally(e);
            }
        }
    }

    private static Renewal renewal(Hold hold, Json.@Nullable Obj result, ServerReply reply) {
        if (result == null
                || !AnswerFields.text(result, "lease_id").equals(hold.leaseId().value())) {
            throw new StoreUnavailableException("the server did not say what became of the lease", null);
        }
        return switch (LeaseJson.outcome(result)) {
            case "renewed" -> new Renewal(new RenewResult.Renewed(LeaseJson.renewed(hold, result)), reply.sent());
            case "lost" -> new Renewal(new RenewResult.Lost(LeaseJson.reason(result)), reply.sent());
            default ->
                throw new OutcomeUnknownException(
                        "the server does not know what became of the lease: "
                                + result.text("reason").orElse("no reason given"),
                        null);
        };
    }

    @Override
    public void giveBack(KeptLease lease) {
        var unused = locks.giveUp(
                lease.key(), () -> locks.endLost(lease.key(), lease.hold().leaseId()));
    }

    /** The client ends, and its timers with it: what is due is not sent any more, and whoever waits for it is told so. */
    void close() {
        List<DueRenewal> unsent;
        synchronized (this) {
            closed = true;
            unsent = due;
            due = new ArrayList<>();
        }
        unsent.forEach(one -> one.told().completeExceptionally(locks.transport().closedException()));
    }
}
