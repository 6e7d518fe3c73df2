package dev.holdfast.client;

import static dev.holdfast.client.RequestAttempts.atLeast;
import static dev.holdfast.client.RequestAttempts.least;

import dev.holdfast.Attempt;
import dev.holdfast.LockService;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
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
import java.util.Optional;
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
    /** When it is looked again whether there is a place to give up; then twice as late each time. */
    private static final Duration FIRST_LOOK = Duration.ofMillis(50);

    /** How a server says that no place was given up since the acquisition holds. */
    private static final Optional<LostReason> HELD = Optional.of(LostReason.REUSED);

    private final ServerLocks locks;
    private final Request request;
    private final CompletableFuture<Attempt<LockService.Grant>> answer = new CompletableFuture<>();
    private final long end;
    /** How many servers may still be asked once when time is up, because the one that was asked said nothing. */
    private int othersLeft;

    private volatile Duration longestPark = LONGEST_PARK;
    private volatile boolean asked;
    private volatile boolean cancelled;
    /** Whether it is cancelled since the client ends: what came of it is told, unlike to whoever left. */
    private volatile boolean closing;
    /** Complete when the request under way has been answered, and what follows from that is done; guarded by this. */
    private CompletableFuture<?> underWay = CompletableFuture.completedFuture(null);
    /** What was granted though nobody wants it any more is given back. */
    private volatile CompletableFuture<Void> givenBack = CompletableFuture.completedFuture(null);

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
        this.othersLeft = locks.servers() - 1;
    }

    @Override
    public CompletableFuture<Attempt<LockService.Grant>> answer() {
        return answer;
    }

    void begin() {
        Duration left = Duration.ofNanos(Math.max(0, end - locks.now()));
        Duration most = park(left);
        Duration park = asked ? most : atLeast(SHORTEST_WAIT, most); // busy is told only by the server
        if (request.waitFor().isZero()) {
            ask(Duration.ZERO, locks.deadline(), locks.patience());
        } else if (park.toMillis() > 0) {
            long until = Math.min(end, locks.now() + park.toNanos());
            ask(park, Math.max(until, locks.now() + SHORTEST_BRIDGE.toNanos()), patience(left.minus(park)));
        } else if (lastFailure != null && othersLeft > 0) {
            othersLeft--;
            ask(SHORTEST_WAIT, locks.now() + SHORTEST_BRIDGE.toNanos(), patience(locks.patience()));
        } else if (lastFailure != null) {
            answer.completeExceptionally(lastFailure);
            var unused = locks.giveUp(request.key(), this::withdraw);
        } else {
            leave();
        }
    }

    /** Half of what is left, if there is another server that may have to be asked: this one may say nothing. */
    private Duration park(Duration left) {
        Duration half = left.dividedBy(2);
        boolean shared = locks.servers() > 1 && half.compareTo(SHORTEST_BRIDGE) >= 0;
        return least(longestPark, shared ? half : left);
    }

    /** How much longer than it is parked a request may take: what is left then is for the other servers too. */
    private Duration patience(Duration leftThen) {
        return locks.servers() > 1
                ? atLeast(SHORTEST_BRIDGE, least(locks.patience().dividedBy(2), leftThen.dividedBy(2)))
                : locks.patience();
    }

    private void ask(Duration park, long deadline, Duration patience) {
        asked = true;
        Optional<byte[]> body = Optional.of(LeaseJson.acquire(request, park));
        ServerRequest ask = ServerRequest.of(
                        "the request for lock " + request.key(), "POST", "/v2/locks/acquire", body, deadline, patience)
                .held(park);
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<ServerReply> sent;
        synchronized (this) {
            if (cancelled) {
                return; // whoever did so has told everybody
            }
            underWay = over;
            sent = locks.transport().send(ask);
        }
        Stages.then(sent, (reply, failure) -> {
            try {
                if (reply != null) {
                    answered(reply);
                } else if (failure != null) {
                    failed(failure);
                }
            } catch (RuntimeException e) {
                answer.completeExceptionally(e);
            } finally {
                over.complete(null);
            }
        });
    }

    // ---- what came

    private void answered(ServerReply reply) {
        if (closing && reply.status() != 200) {
            lastFailure = null; // it does not hold
            return;
        }
        switch (reply.status()) {
            case 200 -> granted(reply);
            case 202 -> {
                int position = (int) AnswerFields.number(reply.body(), "position");
                place = new Attempt.Busy<>(request.firstKey(), LockJson.holders(reply.body(), request.key()), position);
                lastFailure = null;
                if (end - locks.now() <= 0) {
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
        boolean taken = !closing && answer.complete(new Attempt.Done<>(grant));
        if (!taken && (cancelled || closing)) {
            givenBack = giveBack();
        }
    }

    private void failed(Throwable latest) {
        // That nothing was changed by the latest request says nothing about one before it.
        Throwable failure = latest instanceof HoldfastException && inDoubt() ? lastFailure : latest;
        if (closing) {
            lastFailure = failure;
            return;
        }
        boolean parkTooLong = failure instanceof IllegalArgumentException
                && String.valueOf(failure.getMessage()).contains("wait_ms")
                && longestPark.compareTo(SHORTEST_PARK) > 0;
        if (parkTooLong) { // this server is set to park requests for less
            longestPark = longestPark.dividedBy(2);
            begin();
            return;
        }
        boolean mayHeal = latest instanceof StoreUnavailableException || latest instanceof OutcomeUnknownException;
        if (mayHeal && !cancelled && !request.waitFor().isZero()) {
            lastFailure = failure; // told when time is up, and then the place is given up too
            locks.machine().after(Duration.ofMillis(100), this::begin);
        } else {
            answer.completeExceptionally(failure);
        }
    }

    /** Whether it may hold without our having heard of it. */
    private boolean inDoubt() {
        return lastFailure instanceof OutcomeUnknownException;
    }

    // ---- going away

    /** Time is up: the place is given up before that is told. If that fails it ends by itself, a little later. */
    private void leave() {
        Stages.then(withdraw(), (left, failure) -> {
            if (failure != null && !(failure instanceof StoreException)) {
                answer.completeExceptionally(failure);
            } else if (left != null
                    && left.equals(HELD)) { // it was handed the lock before that: it asks once more, and has it
                ask(Duration.ZERO, locks.deadline(), locks.patience());
            } else {
                answer.complete(place);
            }
        });
    }

    @Override
    public void cancel() {
        var unused = locks.giveUp(request.key(), () -> {
            CompletableFuture<?> last = stop();
            boolean waiting = answer.completeExceptionally(
                    new CancellationException("lock " + request.key() + " is no longer asked for"));
            if (given != null) {
                givenBack = giveBack();
                return givenBack;
            }
            if (!waiting || request.waitFor().isZero()) {
                return last.thenCompose(over -> givenBack); // whatever the request under way brings
            }
            // An id that has ended is never granted anything: then what is parked under it need not be waited for.
            return withdraw(last, FIRST_LOOK)
                    .thenCompose(ended -> ended.isEmpty() ? givenBack : last.thenCompose(over -> givenBack));
        });
    }

    private CompletableFuture<Optional<LostReason>> withdraw() {
        return locks.withdraw(request.key(), request.leaseId());
    }

    /** Also the place that the last request gets only later: what is sent after it may be there before it. */
    private CompletableFuture<Optional<LostReason>> withdraw(CompletableFuture<?> last, Duration pause) {
        boolean over = last.isDone();
        return withdraw().thenCompose(ended -> {
            if (over || ended.isEmpty()) {
                return CompletableFuture.completedFuture(ended);
            }
            CompletableFuture<Void> later = new CompletableFuture<>();
            locks.machine().after(pause, () -> later.complete(null));
            return CompletableFuture.anyOf(last, later)
                    .thenCompose(unused -> given == null
                            ? withdraw(last, pause.multipliedBy(2))
                            : CompletableFuture.completedFuture(ended));
        });
    }

    /** No further request is sent. The one under way, if there is one. */
    private synchronized CompletableFuture<?> stop() {
        cancelled = true;
        return underWay;
    }

    /** The client ends: the place is given up, and so is what is granted meanwhile. Completes when that is done and told. */
    CompletableFuture<Void> close() {
        closing = true;
        CompletableFuture<?> last = stop();
        if (answer.isDone()) {
            return CompletableFuture.completedFuture(null);
        }
        CompletableFuture<Optional<LostReason>> withdrawn = request.waitFor().isZero()
                ? CompletableFuture.completedFuture(Optional.of(LostReason.UNKNOWN))
                : withdraw(last, FIRST_LOOK);
        Stages.then(withdrawn, (ended, failure) -> {
            if (ended != null && ended.isEmpty()) { // it waited, and an id that has ended is never granted anything
                answer.completeExceptionally(locks.transport().closedException());
            } else {
                boolean held = HELD.equals(ended);
                Stages.then(last, (over, none) -> Stages.then(givenBack, (back, kept) -> tellClosed(held, kept)));
            }
        });
        return CompletableFuture.allOf(withdrawn, answer.handle((none, failure) -> null));
    }

    /** @param held whether the acquisition holds, as the server said when it was asked to give up its place */
    private void tellClosed(boolean held, @Nullable Throwable failure) {
        GrantedHold grant = given;
        boolean kept = grant == null ? held : grant.repeated();
        answer.completeExceptionally(
                failure == null && !kept && !inDoubt()
                        ? locks.transport().closedException()
                        : new OutcomeUnknownException(
                                "The client was closed while it asked for lock " + request.key()
                                        + ". It may have been granted, and be held until " + request.leaseId()
                                        + " ends by itself: look at the lock before relying on either",
                                failure == null ? lastFailure : failure));
    }

    /** Only if nobody else was told of it: another call of the same acquisition may rely on it. */
    private CompletableFuture<Void> giveBack() {
        GrantedHold grant = given;
        if (grant == null || grant.repeated()) {
            return CompletableFuture.completedFuture(null);
        }
        return locks.giveUp(request.key(), () -> locks.giveBack(request.key(), grant.hold()));
    }
}
