package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.ReleaseResult;
import dev.holdfast.model.Cause;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Waiter;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.Watchable;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings commands to the queues of their locks, until it is closed. */
final class Commands {
    private static final Logger LOG = LoggerFactory.getLogger(LockEngine.class);

    /** Least time another engine's grant is kept for a waiter here: a round trip and a pause of ours. */
    private static final Duration MIN_CLAIM = Duration.ofSeconds(1);
    /** How long close waits for places in queues to be given up. */
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(2);

    private final EngineParts parts;
    private final KeyQueues queues;
    private final DecidingEngine alone;
    private final Duration claimWithin;
    /** Nothing is acquired any more. */
    private volatile boolean closing;
    /** Nothing is done any more. */
    private volatile boolean closed;

    Commands(EngineParts parts) {
        this.parts = parts;
        this.queues = new KeyQueues(parts.config().keysCached());
        this.alone = DecidingEngine.of(parts.id());
        Duration twoPolls = parts.traits().restingPoll().multipliedBy(2);
        this.claimWithin = parts.traits().exclusive() ? MIN_CLAIM : MIN_CLAIM.plus(twoPolls);
    }

    Acquisition acquire(Request request, Calling calling) {
        if (closing) {
            return new Acquisitions.Immediate(CompletableFuture.failedFuture(parts.closedException()));
        }
        if (request.waitFor().isZero()) {
            return attempt(request, ask(request, Optional.empty()), calling);
        }
        Duration within = request.keepPlace().isZero() ? claimWithin : request.claimWithin();
        Command.Acquire ask =
                ask(request, Optional.of(within.compareTo(Waiter.MAX_CLAIM) > 0 ? Waiter.MAX_CLAIM : within));
        while (true) {
            KeyQueue queue = queues.of(request.key(), parts, alone);
            Waiting waiting = queue.waitingOrNew();
            Optional<ParkedCaller> parked = waiting.park(ask, request, calling);
            if (parked.isPresent()) {
                if (closing) { // meanwhile; nobody may be left to answer
                    waiting.cancelAll();
                }
                return new Acquisitions.Queueing(waiting, parked.get());
            }
            queues.remove(queue);
        }
    }

    Acquisition reacquire(Request request) {
        Command.Reacquire ask = new Command.Reacquire(request.leaseId(), request.owner(), request.terms());
        return closing
                ? new Acquisitions.Immediate(CompletableFuture.failedFuture(parts.closedException()))
                : attempt(request, ask, Calling.ASYNC);
    }

    private Acquisition attempt(Request request, Command<AcquireResult> ask, Calling calling) {
        QueuedCommand<AcquireResult> queued = new QueuedCommand<>(ask, request.cause(), parts.deadline());
        submit(request.key(), queued, calling);
        CompletableFuture<Answer<AcquireResult>> told = new CompletableFuture<>();
        Stages.then(queued.future, (answer, failure) -> {
            if (failure instanceof OutcomeUnknownException) {
                // If it holds now, nobody will know.
                parts.post(request.key(), queued.giveBack(request.leaseId()));
            }
            if (answer != null) {
                told.complete(answer);
            } else if (failure != null) {
                told.completeExceptionally(failure);
            }
        });
        return new Acquisitions.Trying(
                queued.future, told, parts.leftovers(), hold -> parts.giveUp(request.key(), Command.GiveBack.of(hold)));
    }

    private static Command.Acquire ask(Request request, Optional<Duration> within) {
        return new Command.Acquire(request.leaseId(), request.scope(), request.owner(), request.terms(), within);
    }

    /** Releases a hold, or gives up a place. */
    CompletableFuture<Answer<ReleaseResult>> release(RecordKey key, Command<ReleaseResult> how, Cause cause) {
        Waiting waiting = waiting(key);
        Command<ReleaseResult> command =
                how instanceof Command.Withdraw ask && waiting != null ? waiting.leave(ask) : how;
        return execute(key, command, cause, Calling.ASYNC);
    }

    <R> CompletableFuture<Answer<R>> execute(RecordKey key, Command<R> command, Cause cause, Calling calling) {
        QueuedCommand<R> queued = new QueuedCommand<>(command, cause, parts.deadline());
        submit(key, queued, calling);
        return queued.future;
    }

    void submit(RecordKey key, QueuedCommand<?> queued, Calling calling) {
        if (closed) {
            queued.future.completeExceptionally(parts.closedException());
            return;
        }
        while (true) {
            KeyQueue queue = queues.of(key, parts, alone);
            if (queue.submit(queued, calling)) {
                break;
            }
            queues.remove(queue);
        }
        if (closed) { // meanwhile; nobody may be left to answer
            queued.future.completeExceptionally(parts.closedException());
        }
    }

    /** A record was changed: whoever waits for it looks. */
    void heard(Watchable.Hint hint) {
        Waiting waiting = waiting(hint.key());
        if (waiting != null) {
            waiting.lookNow(hint.record());
        }
    }

    private @Nullable Waiting waiting(RecordKey key) {
        KeyQueue queue = queues.peek(key);
        return queue == null ? null : queue.waiting();
    }

    /** How many callers wait here. */
    int waiters() {
        return queues.waiters();
    }

    /** Takes no more acquisitions, and gives up the places of those that wait, or just went away. */
    void leaveQueues() {
        closing = true;
        for (KeyQueue queue : queues.all()) {
            Waiting waiting = queue.waiting();
            if (waiting != null) {
                waiting.cancelAll();
            }
        }
        parts.leftovers()
                .await(CLOSE_WITHIN)
                .ifPresent(why -> LOG.info(
                        "Some places in lock queues could not be given up at close; they end by themselves", why));
    }

    /** Does nothing more; who still waits for an answer is told so. */
    void close() {
        closed = true;
        queues.all().forEach(queue -> queue.abort(parts.closedException(), unclearAtClose()));
    }

    private OutcomeUnknownException unclearAtClose() {
        return new OutcomeUnknownException(
                "This lock client on the " + parts.traits().name()
                        + " store was closed before it was clear whether the last change of the lock arrived",
                null);
    }
}
