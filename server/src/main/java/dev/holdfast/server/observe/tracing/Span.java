package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import java.util.Optional;

/** A piece of work in a trace. It is recorded when it ends. Safe for any thread; all methods return at once. */
public interface Span {
    Span NONE = new Span() {};

    /** A part of this span, called {@code acquire} or {@code renew}, about this lock. */
    default Span child(String name, LockKey key) {
        return NONE;
    }

    default Span token(Token token) {
        return this;
    }

    /** Ends it: with {@code granted}, {@code busy}, {@code renewed}, a status code… */
    default void end(String outcome, boolean failed) {}

    /** The W3C {@code traceparent} of this span, for the answer and for calls made on its behalf. */
    default Optional<String> traceparent() {
        return Optional.empty();
    }
}
