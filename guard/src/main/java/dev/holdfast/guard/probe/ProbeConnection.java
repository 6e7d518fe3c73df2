package dev.holdfast.guard.probe;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** One connection's two directions. One call at a time; no call blocks. */
interface ProbeConnection {
    /** Done once all of it is on its way. */
    CompletableFuture<Void> send(ByteBuffer bytes);

    /** Fills the buffer with at least one byte; -1 if the other side has ended. */
    CompletableFuture<Integer> receive(ByteBuffer into);
}
