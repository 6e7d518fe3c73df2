package dev.holdfast.concurrent;

/**
 * What a process does when it starts and stops leading. Terms do not overlap: {@link #elected} is not called again
 * before both calls of the term before have returned. Called on different threads, and {@link #ended} may come while
 * {@link #elected} still runs.
 */
@FunctionalInterface
public interface LeaderListener {
    /**
     * This process leads, until the term ends. Called on a thread of its own: do the work here, as long as {@link Term#isValid()}, or start
     * it and return; the term goes on. If it still runs when the term ends, its thread is interrupted. What it throws before ends the term.
     *
     * @throws Exception what the work throws; {@link TermEnd#FAILED}
     */
    void elected(Term term) throws Exception;

    /**
     * The term is over: stop the work, and return when it has stopped. Called once for each term that {@link #elected} was called for, also
     * while that still runs. After {@link TermEnd#LOST} another may lead already; otherwise the lock is given back when both calls have
     * returned. Called on the thread that ends the term: one of the client's when the lease is lost, else the one that resigns or closes; but
     * never within {@link #elected}.
     */
    default void ended(Term term, TermEnd why) {}

    /**
     * Something went wrong, and the candidacy goes on: the store failed, so that it is not known who leads; the work threw; the lease was lost
     * while an ended term was still being wound up ({@link dev.holdfast.LeaseLostException}). After
     * {@link dev.holdfast.failure.ClientClosedException} it does not go on. Return soon.
     */
    default void failed(Exception failure) {}
}
