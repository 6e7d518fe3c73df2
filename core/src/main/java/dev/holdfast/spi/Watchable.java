package dev.holdfast.spi;

import dev.holdfast.model.RecordKey;
import java.util.function.Consumer;

/** A store that can tell when a record was written by another process. */
public interface Watchable {
    /**
     * Calls {@code changed} after writes of others marked {@link Write#wake()}, and maybe after our own. A hint: it may be
     * missing, late or repeated, and comes on any thread; the receiver must not block in it.
     */
    Watch watch(Consumer<RecordKey> changed);

    /** Ends the hints when closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
