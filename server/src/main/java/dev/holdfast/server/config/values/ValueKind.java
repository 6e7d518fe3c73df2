package dev.holdfast.server.config.values;

/** A kind of value: how it is read, which values are allowed, and how they may be shown. */
public interface ValueKind<T> {
    /** The value, or all that is wrong with it. */
    T read(Value value) throws ValueRefusal;

    /** Completes "must be …"; also the column of the document. */
    String allowed();

    /** An accepted value for people, as it was given and as it was read. Nothing secret is in it. */
    default String shown(Value value, T read) {
        return value.written();
    }

    /** Whether a refused value may be repeated in a message. A URL that cannot be parsed cannot be masked either. */
    default boolean mayBeRepeated(Value value) {
        return true;
    }
}
