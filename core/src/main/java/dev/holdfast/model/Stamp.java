package dev.holdfast.model;

/**
 * Marks one write of one record. Never used twice, so "the stamp is still this" means "nobody wrote in between".
 *
 * @param value random; 0 only for a record that was never stored
 */
public record Stamp(long value) {
    /** The stamp of a record that is not stored. */
    public static final Stamp NONE = new Stamp(0);

    @Override
    public String toString() {
        return Long.toHexString(value);
    }
}
