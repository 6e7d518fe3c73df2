package dev.holdfast.concurrent;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One time of leading, from the election to its end. {@link LeaderListener#ended} is called before another can lead,
 * except after a force-unlock; between a look and an effect a process can be paused for any time, so have whatever it
 * writes to check the {@link #token()}.
 *
 * <p>Safe for any thread.
 */
public final class Term {
    private final Candidacy candidacy;
    private final Lease lease;

    // The rest is guarded by the candidacy.
    @Nullable TermEnd end;

    @Nullable Thread worker;
    /** Whether the listener has heard of the term, and so must hear of its end. */
    boolean begun;
    /** Whether somebody tells the listener of its end, or has. */
    boolean endTaken;

    boolean electedReturned;
    boolean endedReturned;
    /** Whether nobody works under it any more. */
    boolean over;

    @Nullable Thread ender;
    /** What the work threw. */
    @Nullable Exception failure;

    Term(Candidacy candidacy, Lease lease) {
        this.candidacy = candidacy;
        this.lease = lease;
    }

    /**
     * Above that of every earlier term, for ever. Whoever takes orders from the leader refuses anything below the
     * highest token it has seen.
     */
    public Token token() {
        return lease.token();
    }

    /** Whether this process certainly leads. Costs nothing: the store is not asked. */
    public boolean isValid() {
        return end().isEmpty() && lease.isValid();
    }

    /**
     * Does nothing while this process certainly leads.
     *
     * @throws LeaseLostException otherwise
     */
    public void ensureValid() {
        lease.ensureValid();
        if (end().isPresent()) {
            throw new LeaseLostException(lease.key(), LostReason.RELEASED);
        }
    }

    /** How long it certainly leads if no renewal succeeds; zero when it does not. */
    public Duration remaining() {
        return end().isPresent() ? Duration.ZERO : lease.remaining();
    }

    /** Why it ended; empty while it goes on. */
    public Optional<TermEnd> end() {
        synchronized (candidacy) {
            return Optional.ofNullable(end);
        }
    }

    /** Why the lease was lost, if it was. */
    public Optional<LostReason> lostFor() {
        return lease.lostFor();
    }

    /** The lease it stands on, for what takes one, such as a fenced write. It is not yours to release: {@link #resign()}. */
    public Lease lease() {
        return lease;
    }

    /**
     * Ends this term, and stands again at the end of the queue: who waits leads next, and if nobody waits, this process again. The lock is
     * given back when the callbacks have returned. Does nothing if it has ended.
     */
    public void resign() {
        candidacy.end(this, TermEnd.RESIGNED);
    }

    @Override
    public String toString() {
        return "Term[" + lease.key() + ", token " + lease.token()
                + end().map(why -> ", " + why).orElse("") + "]";
    }
}
