package dev.holdfast.concurrent;

import dev.holdfast.AcquireOptions;
import dev.holdfast.Attempt;
import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that stands in an election until it is closed: {@link LeaderElection#stand}. It waits in the queue of the lock, without a thread,
 * leads when it is its turn, and stands again afterwards. When the store fails it asks again after a pause, which grows to five seconds.
 *
 * <p>Safe for any thread.
 */
public final class Candidacy implements AutoCloseable {
    /** Where a candidacy is. None of them says who else leads: see {@link LeaderElection#leader()}. */
    public enum State {
        /** It asks for the lock, or waits for it. */
        CAMPAIGNING,
        /** It leads: {@link Candidacy#term()}. */
        LEADING,
        /** Its term has ended, and its listener has yet to return. */
        ENDING,
        /** The store failed when it asked for the lock, or its work did; it asks again after a pause. {@link Candidacy#failure()} */
        FAILING,
        /** It is closed, or its client is. */
        CLOSED
    }

    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);

    /** How long {@link #close()} waits for callbacks: as long as a shutdown usually may take. */
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(30);
    /** Before the first repetition; doubled each time. The client itself has tried for its operation timeout by then. */
    private static final long FIRST_PAUSE_MILLIS = 100;

    private static final long LONGEST_PAUSE_MILLIS = 5_000;

    private final LockClient locks;
    private final LockKey key;
    private final Consumer<AcquireOptions> options;
    private final LeaderListener listener;

    private State state = State.CAMPAIGNING;
    private boolean closing;
    private int failures;
    private @Nullable Exception failure;
    private @Nullable Term term;
    private @Nullable CompletableFuture<Attempt<Lease>> asked;

    Candidacy(LockClient locks, LockKey key, Consumer<AcquireOptions> options, LeaderListener listener) {
        this.locks = locks;
        this.key = key;
        this.options = options;
        this.listener = listener;
    }

    // ---- looking

    /** Where it is. */
    public synchronized State state() {
        return state;
    }

    /** The term in which this process leads; empty when it does not, or its term has ended. */
    public synchronized Optional<Term> term() {
        return Optional.ofNullable(term).filter(it -> it.end == null);
    }

    /** Whether this process certainly leads. */
    public boolean isLeader() {
        return term().map(Term::isValid).orElse(false);
    }

    /** Why it is {@link State#FAILING}; empty when it is not. */
    public synchronized Optional<Exception> failure() {
        return Optional.ofNullable(failure);
    }

    // ---- campaigning

    /** Asks for the lock, and goes on with the answer. */
    void campaign() {
        boolean again;
        synchronized (this) {
            if (closing) {
                closed();
                return;
            }
            again = failure != null;
            if (!again) {
                state = State.CAMPAIGNING;
            }
        }
        CompletableFuture<Attempt<Lease>> question = locks.acquireAsync(key, options);
        boolean unwanted;
        synchronized (this) {
            asked = question;
            unwanted = closing;
        }
        CompletionStage<Attempt<Lease>> answer = question;
        answer.whenComplete((attempt, thrown) -> {
            if (thrown != null) {
                refused(cause(thrown));
            } else if (attempt instanceof Attempt.Done<Lease> done) {
                lead(done.value());
            } else {
                retry(); // neither busy nor lost is an answer to who waits for ever; should it come, it asks again
            }
        });
        if (unwanted) {
            question.cancel(true);
        } else if (again) {
            CompletionStage<LockView> look = locks.inspect().getAsync(key);
            look.whenComplete((view, thrown) -> {
                if (thrown == null) {
                    recovered(question);
                }
            });
        }
    }

    /** What really failed, without what stages wrapped around it. */
    static Throwable cause(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
    }

    /** The store answers. Who waits in the queue hears nothing from it, so somebody has to look. */
    private synchronized void recovered(CompletableFuture<?> question) {
        if (asked == question && state == State.FAILING) {
            LOG.info("The store of lock {} answers; this process stands again", key);
            state = State.CAMPAIGNING;
            failure = null;
        }
    }

    private void refused(Throwable thrown) {
        boolean over;
        boolean first;
        Exception why = exception(thrown);
        synchronized (this) {
            asked = null;
            over = closing;
            first = failure == null;
            if (!over) {
                failure = why;
                state = State.FAILING;
            }
        }
        if (over) {
            closed();
        } else if (thrown instanceof ClientClosedException) {
            tell(why);
            closed();
        } else {
            if (first) {
                LOG.warn(
                        "It is not known who leads by lock {}; this process does not: {}. Trying again",
                        key,
                        why.getMessage());
            }
            tell(why);
            retry();
        }
    }

    private static Exception exception(Throwable thrown) {
        return thrown instanceof Exception exception ? exception : new IllegalStateException(thrown);
    }

    private void retry() {
        long millis;
        synchronized (this) {
            millis = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(failures, 10));
            failures++;
        }
        long pause =
                millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1); // many candidates do not ask at once
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::campaign);
    }

    // ---- leading

    private void lead(Lease lease) {
        Term next = new Term(this, lease);
        Thread worker = new Thread(() -> work(next), "holdfast-leader-" + key.name());
        worker.setDaemon(true);
        boolean unwanted;
        synchronized (this) {
            asked = null;
            unwanted = closing;
            if (!unwanted) {
                failure = null;
                next.worker = worker;
                term = next;
                state = State.LEADING;
            }
        }
        if (unwanted) {
            CompletionStage<Boolean> released = lease.releaseAsync();
            released.whenComplete((held, thrown) -> closed());
            return;
        }
        try {
            worker.start();
        } catch (Throwable e) { // no thread can be had: it does not lead
            failed(next, e);
            return;
        }
        lease.onLost(reason -> lost(next, reason));
    }

    private void failed(Term mine, Throwable thrown) {
        synchronized (this) {
            mine.failure = exception(thrown);
            mine.electedReturned |= !mine.begun;
        }
        tell(exception(thrown));
        end(mine, TermEnd.FAILED);
    }

    /** On the thread of the term. */
    private void work(Term mine) {
        boolean begins;
        synchronized (this) {
            begins = mine.end == null;
            mine.begun = begins;
        }
        if (begins) {
            try {
                listener.elected(mine);
            } catch (Throwable e) { // whatever it is, a leader that has failed does not lead
                if (mine.end().isEmpty()) {
                    failed(mine, e);
                } else if (!(e instanceof InterruptedException)) {
                    LOG.debug("The work of an ended term threw", e);
                }
            }
        }
        boolean tellEnd;
        synchronized (this) {
            mine.electedReturned = true;
            tellEnd = takeEnd(mine);
        }
        boolean unused = Thread.interrupted(); // it was meant for the work
        if (tellEnd) {
            tellEnd(mine);
        }
        settle(mine);
    }

    private void lost(Term mine, LostReason reason) {
        if (!end(mine, TermEnd.LOST)) {
            boolean late;
            synchronized (this) {
                late = !mine.over;
            }
            if (late) {
                tell(new LeaseLostException(key, reason)); // what is still being wound up is not protected any more
            }
        }
    }

    /** Ends a term; false if it had ended before. */
    boolean end(Term mine, TermEnd why) {
        boolean tellEnd;
        synchronized (this) {
            if (mine.end != null) {
                return false;
            }
            mine.end = why;
            state = State.ENDING;
            boolean within = Thread.currentThread() == mine.worker;
            if (!within && !mine.electedReturned && mine.worker != null) {
                mine.worker.interrupt();
            }
            tellEnd = !within && takeEnd(mine);
        }
        if (tellEnd) {
            tellEnd(mine);
        }
        settle(mine);
        return true;
    }

    /** Whether the caller is the one to tell the listener that the term has ended. */
    private boolean takeEnd(Term mine) {
        if (mine.end == null || !mine.begun || mine.endTaken) {
            return false;
        }
        mine.endTaken = true;
        mine.ender = Thread.currentThread();
        return true;
    }

    private void tellEnd(Term mine) {
        try {
            listener.ended(mine, mine.end().orElseThrow());
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "A leader's listener failed at the end of a term of lock {}; the term is over all the same",
                    key,
                    e);
        } finally {
            synchronized (this) {
                mine.endedReturned = true;
                mine.ender = null;
            }
        }
    }

    /** Gives the lock back once nobody works under it any more, and stands again. */
    private void settle(Term mine) {
        TermEnd why;
        synchronized (this) {
            why = mine.end;
            boolean quiet = mine.electedReturned && (mine.endedReturned || !mine.begun);
            if (why == null || !quiet || mine.over) {
                return;
            }
            mine.over = true;
            term = null;
            if (why != TermEnd.FAILED) {
                failures = 0;
            }
        }
        if (why == TermEnd.LOST) {
            campaign(); // what is left at the store is given back by the client
        } else {
            giveBack(mine, why);
        }
    }

    private void giveBack(Term mine, TermEnd why) {
        boolean lossTold = mine.lostFor().isPresent();
        CompletionStage<Boolean> released = mine.lease().releaseAsync();
        released.whenComplete((held, thrown) -> {
            if (thrown != null) {
                LOG.warn(
                        "Lock {} could not be released and ends by itself: {}",
                        key,
                        cause(thrown).getMessage());
            } else if (!held && !lossTold) {
                tell(new LeaseLostException(key, mine.lostFor().orElse(LostReason.UNKNOWN)));
            }
            if (why == TermEnd.FAILED) {
                rest(mine); // not at once: it may fail again
            } else {
                campaign();
            }
        });
    }

    private void rest(Term mine) {
        synchronized (this) {
            failure = mine.failure;
            state = State.FAILING;
            if (closing) {
                closed();
                return;
            }
        }
        retry();
    }

    private void tell(Exception what) {
        try {
            listener.failed(what);
        } catch (RuntimeException | Error e) {
            LOG.error("A leader's listener failed while handling a failure", e);
        }
    }

    // ---- end

    /**
     * Withdraws: leaves the queue, or ends the term, of which the listener is notified, and gives the lock back once
     * both of its calls have returned, so that nobody leads while work still goes on. Waits for that up to 30 s, unless
     * called by the listener itself; work that takes longer keeps the lock until it is done, or the client is closed
     * and the lease has run out.
     */
    @Override
    public void close() {
        CompletableFuture<Attempt<Lease>> question;
        Term last;
        synchronized (this) {
            closing = true;
            question = asked;
            last = term;
            if (state == State.FAILING && question == null) {
                closed(); // the repetition that is due finds it closed
            }
        }
        if (question != null) {
            question.cancel(true);
        }
        if (last != null) {
            end(last, TermEnd.CLOSED);
        }
        awaitClosed();
    }

    private synchronized void closed() {
        state = State.CLOSED;
        closing = true;
        notifyAll();
    }

    private synchronized void awaitClosed() {
        long end = System.nanoTime() + CLOSE_PATIENCE.toNanos();
        while (state != State.CLOSED && !isOwnCall()) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                LOG.warn(
                        "The leader's work under lock {} still runs, {} after it was told to end; it keeps the lock",
                        key,
                        CLOSE_PATIENCE);
                return;
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Whether the calling thread is in a call of the listener, and would wait for itself. */
    private boolean isOwnCall() {
        return term != null && (Thread.currentThread() == term.worker || Thread.currentThread() == term.ender);
    }

    @Override
    public String toString() {
        return "Candidacy[" + key + ", " + state() + "]";
    }
}
