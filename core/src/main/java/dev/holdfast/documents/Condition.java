package dev.holdfast.documents;

import java.util.Optional;

/** What must be so for a change to be made. */
public sealed interface Condition {
    /** There is no such document. */
    static Condition absent() {
        return new Absent();
    }

    /** Nothing: it is made in any case. */
    static Condition none() {
        return new None();
    }

    /** The document has this tag. */
    static Condition tagged(String tag) {
        return new Tagged(tag);
    }

    /** Whether it holds for what is there. */
    default boolean holds(Optional<DocumentHead> current) {
        if (this instanceof Tagged tagged) {
            return current.isPresent() && current.get().tag().equals(tagged.tag());
        }
        return this instanceof None || current.isEmpty();
    }

    /** There is no such document. */
    record Absent() implements Condition {}

    /** It is made in any case. */
    record None() implements Condition {}

    /**
     * The document has this tag.
     *
     * @param tag as in {@link DocumentHead#tag()}
     */
    record Tagged(String tag) implements Condition {}
}
