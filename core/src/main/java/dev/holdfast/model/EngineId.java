package dev.holdfast.model;

/**
 * Names one engine from its start to its end. Random at each start: a restarted process is another engine, so that it
 * cannot be taken for the one whose callers are gone.
 *
 * @param value 1 to 64 of letters, digits, {@code _ . -}
 */
public record EngineId(String value) {
    /** Checks the characters and the length. */
    public EngineId {
        Names.namespace(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
