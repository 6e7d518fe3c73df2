package dev.holdfast.test;

import dev.holdfast.Lease;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;

/**
 * Another process that holds a lock and renews it: see {@link FakeLocks#busy(String)}. It ends when it is freed or dies, or with its
 * {@link FakeLocks}. Safe for any thread.
 */
public final class Rival implements AutoCloseable {
    private final FakeTime time;
    private final FakeProcess process;
    private final Lease lease;

    Rival(FakeTime time, FakeProcess process, Lease lease) {
        this.time = time;
        this.process = process;
        this.lease = lease;
    }

    /** What it holds. */
    public LockKey key() {
        return lease.key();
    }

    /** Its token; a later holder's is greater. */
    public Token token() {
        return lease.token();
    }

    /** Whether it still holds the lock: nobody has ended it by force, and it was neither freed nor died. */
    public boolean holds() {
        return lease.isValid();
    }

    /** Releases the lock. Whoever waits for it first has it when this returns. */
    public void free() {
        time.taken();
        lease.close();
        process.close();
    }

    /** Ends without a word, as a process that is killed: the lock stays busy until the lease is over, 30 s after its last renewal. */
    public void die() {
        time.taken();
        process.close();
    }

    /** The same as {@link #free()}. */
    @Override
    public void close() {
        free();
    }
}
