package dev.holdfast.spi;

import dev.holdfast.model.EngineId;
import dev.holdfast.model.RecordKey;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A store that can notify when another process has written a record. */
public interface Watchable {
    /**
     * Calls {@code heard} after writes of others that {@link Write#wake() wake} this engine, and maybe after further ones. A hint:
     * it may be missing, late or repeated, and comes on any thread; the receiver must not block in it.
     */
    Watch watch(EngineId engine, Consumer<Hint> heard);

    /** Ends the hints when closed. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Something was written.
     *
     * @param key the record
     * @param record what was written, if the store could send that along: true then, and maybe no longer now
     */
    record Hint(RecordKey key, Optional<Versioned> record) {
        /** A hint without the record, which is read then. */
        public static Hint of(RecordKey key) {
            return new Hint(key, Optional.empty());
        }

        /** With the record, if this write has all of it: one that expects no stamp may leave what is remembered to the store. */
        public static Hint of(Write made) {
            return new Hint(
                    made.key(),
                    made.precondition() instanceof Precondition.Stamped
                            ? made.record().map(Versioned::of)
                            : Optional.empty());
        }
    }

    /** Somebody who listens, for stores that tell within the process. */
    record Listener(EngineId engine, Consumer<Hint> heard) {
        /** Tells of a write that was made, if it concerns this one. */
        public void tell(Write made) {
            if (made.wake().includes(engine)) {
                heard.accept(Hint.of(made));
            }
        }
    }

    /**
     * Who has to be notified of a write at once.
     *
     * @param everybody whoever listens: nobody knows in which process the one is whom it concerns
     * @param engines those it concerns, else
     */
    record Wake(boolean everybody, Set<EngineId> engines) {
        /** It changes nothing that somebody waits for. */
        public static final Wake NOBODY = new Wake(false, Set.of());

        public static final Wake EVERYBODY = new Wake(true, Set.of());

        /** Takes a copy, so that it cannot change. */
        public Wake {
            engines = Set.copyOf(engines);
        }

        public boolean isNobody() {
            return !everybody && engines.isEmpty();
        }

        /** Whether this engine has to hear of it. */
        public boolean includes(EngineId engine) {
            return everybody || engines.contains(engine);
        }
    }
}
