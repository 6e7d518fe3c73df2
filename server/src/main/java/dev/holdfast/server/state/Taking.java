package dev.holdfast.server.state;

import dev.holdfast.model.LostReason;
import io.vertx.core.buffer.Buffer;
import java.util.function.Function;

/** What became of an attempt to lock. */
sealed interface Taking {
    /** One function per member. */
    <X> X fold(Function<Taken, X> taken, Function<Held, X> held, Function<Over, X> over);

    /** The lock is held by this ID, and the stack is claimed for it. */
    record Taken() implements Taking {
        @Override
        public <X> X fold(Function<Taken, X> taken, Function<Held, X> held, Function<Over, X> over) {
            return taken.apply(this);
        }
    }

    /**
     * Somebody else has it.
     *
     * @param lockInfo the holder's, as it was sent
     */
    record Held(Buffer lockInfo) implements Taking {
        @Override
        public <X> X fold(Function<Taken, X> taken, Function<Held, X> held, Function<Over, X> over) {
            return held.apply(this);
        }
    }

    /**
     * The lock of this ID has ended; it can never be taken again.
     *
     * @param how how
     */
    record Over(LostReason how) implements Taking {
        @Override
        public <X> X fold(Function<Taken, X> taken, Function<Held, X> held, Function<Over, X> over) {
            return over.apply(this);
        }
    }
}
