package dev.holdfast.client;

import dev.holdfast.Attempt;
import dev.holdfast.LockService;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.Hold;
import dev.holdfast.model.Times;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.LockJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An acquisition at a server: one request, or one after the other while it waits. Each has the same lease id, so that the place in
 * the queue is kept between them, at whichever server they arrive, and nothing is granted twice.
 */
final class PolledAcquire implements LockService.Asking {
    /** How long a request is parked. Shorter than the patience of what stands between: proxies, firewalls. */
    private static final Duration LONGEST_PARK = Duration.ofSeconds(20);

    private static final Duration SHORTEST_PARK = Duration.ofSeconds(1);
    /** The interface counts in milliseconds. */
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);
    /** A wait that is shorter than the way to the server is still asked for, and a lost answer once more. */
    private static final Duration SHORTEST_BRIDGE = Duration.ofMillis(250);

    private final ServerLocks locks;
    private final Request request;
    private final CompletableFuture<Attempt<LockService.Grant>> answer = new CompletableFuture<>();
    private final long end;
    private volatile Duration longestPark = LONGEST_PARK;
    private volatile boolean asked;
    private volatile boolean cancelled;
    /** Why it has not heard since; a wait that ends so ends in a failure, not in an answer. */
    private volatile @Nullable Throwable lastFailure;
    /** Where it stood when it last heard. */
    private volatile Attempt<LockService.Grant> place;

    private volatile @Nullable GrantedHold given;

    /** What was granted, and whether an earlier call of the same acquisition may have been told of it. */
    private record GrantedHold(Hold hold, boolean repeated) {}

    PolledAcquire(ServerLocks locks, Request request) {
        this.locks = locks;
        this.request = request;
        this.place = new Attempt.Busy<>(request.firstKey(), List.of(), 0);
        this.end = locks.now() + atLeast(SHORTEST_WAIT, request.waitFor()).toNanos();
    }

    private static Duration atLeast(Duration least, Duration asked) {
        return asked.compareTo(least) < 0 ? least : asked;
    }

    @Override
    public CompletableFuture<Attempt<LockService.Grant>> answer() {
        return answer;
    }

    void begin() {
        Duration left = Duration.ofNanos(Math.max(0, end - locks.now()));
        Duration most = left.compareTo(longestPark) > 0 ? longestPark : left;
        Duration park = asked ? most : atLeast(SHORTEST_WAIT, most); // busy is told only by the server
        if (request.waitFor().isZero()) {
            ask(Duration.ZERO, locks.deadline());
        } else if (park.toMillis() > 0) {
            ask(park, Math.max(Math.min(end, locks.now() + park.toNanos()), locks.now() + SHORTEST_BRIDGE.toNanos()));
        } else if (lastFailure != null) {
            answer.completeExceptionally(lastFailure);
            locks.post(locks.withdraw(request.key(), request.leaseId()), request.key());
        } else {
            leave();
        }
    }

    private void ask(Duration park, long deadline) {
        asked = true;
        ServerRequest ask = ServerRequest.parked(
                "the request for lock " + request.key(),
                "/v2/locks/acquire",
                LeaseJson.acquire(request, park),
                deadline,
                park,
                locks.patience());
        Stages.then(locks.transport().send(ask), (reply, failure) -> {
            try {
                if (reply != null) {
                    answered(reply);
                } else if (failure != null) {
                    failed(failure);
                }
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            }
        });
    }

    // ---- what came

    private void answered(ServerReply reply) {
        switch (reply.status()) {
            case 200 -> granted(reply);
            case 202 -> {
                int position = (int) AnswerFields.number(reply.body(), "position");
                place = new Attempt.Busy<>(request.firstKey(), LockJson.holders(reply.body(), request.key()), position);
                lastFailure = null;
                if (cancelled || end - locks.now() <= 0) {
                    leave();
                } else {
                    begin();
                }
            }
            case 409 -> answer.complete(new Attempt.Lost<>(request.firstKey(), LeaseJson.reason(reply.body())));
            default ->
                answer.complete(new Attempt.Busy<>(
                        request.firstKey(),
                        LockJson.holders(reply.body(), request.key()),
                        reply.body().number("queue_length").orElse(0L).intValue()));
        }
    }

    private void granted(ServerReply reply) {
        Instant confirmed = Times.ofMicros(reply.header("Lease-Confirmation"));
        Hold hold = LeaseJson.granted(request, reply.body(), confirmed);
        boolean repeated = reply.headers()
                .firstValue("Lease-Repeated")
                .map(Boolean::parseBoolean)
                .orElse(false);
        given = new GrantedHold(hold, repeated || reply.doubted());
        LockService.Grant grant =
                new LockService.Grant(hold, LockJson.done(reply.body()), reply.after(reply.header("Lease-Waited-Ms")));
        if (!answer.complete(new Attempt.Done<>(grant)) && cancelled) {
            giveBack();
        }
    }

    private void failed(Throwable failure) {
        boolean parkTooLong = failure instanceof IllegalArgumentException
                && String.valueOf(failure.getMessage()).contains("wait_ms")
                && longestPark.compareTo(SHORTEST_PARK) > 0;
        if (parkTooLong) { // this server is set to park requests for less
            longestPark = longestPark.dividedBy(2);
            begin();
            return;
        }
        boolean mayHeal = failure instanceof StoreUnavailableException || failure instanceof OutcomeUnknownException;
        if (mayHeal && !cancelled && !request.waitFor().isZero()) {
            lastFailure = failure; // told when time is up, and then the place is given up too
            locks.machine().after(Duration.ofMillis(100), this::begin);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    // ---- going away

    /** Time is up: the place is given up before that is told. If that fails it ends by itself, a little later. */
    private void leave() {
        Stages.then(locks.withdraw(request.key(), request.leaseId()), (left, failure) -> {
            if (failure != null && !(failure instanceof StoreException)) {
                answer.completeExceptionally(failure);
            } else {
                answer.complete(place);
            }
        });
    }

    @Override
    public void cancel() {
        cancelled = true;
        boolean waiting = answer.completeExceptionally(
                new CancellationException("lock " + request.key() + " is no longer asked for"));
        if (given != null) {
            giveBack();
        } else if (waiting && !request.waitFor().isZero()) {
            // The parked request is answered then, and ends; whatever it brings is given back too.
            locks.post(locks.withdraw(request.key(), request.leaseId()), request.key());
        }
    }

    /** The client ends: whoever waits is told so; completes when the place is given up. */
    CompletableFuture<?> close() {
        cancelled = true;
        boolean waiting = answer.completeExceptionally(locks.transport().closedException());
        return waiting && !request.waitFor().isZero()
                ? locks.withdraw(request.key(), request.leaseId())
                : CompletableFuture.completedFuture(null);
    }

    /** Only if nobody else was told of it: another call of the same acquisition may rely on it. */
    private void giveBack() {
        GrantedHold grant = given;
        if (grant != null && !grant.repeated()) {
            locks.post(locks.giveBack(request.key(), grant.hold()), request.key());
        }
    }
}
