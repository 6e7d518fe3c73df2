package dev.holdfast.documents.keys;

/** A key of 256 bits that encrypts what is written at one time, and how it is kept. */
public final class DataKey {
    /** Its length, in bytes. */
    public static final int BYTES = 32;

    private final byte[] plain;
    private final byte[] wrapped;

    /** Neither is copied. */
    public DataKey(byte[] plain, byte[] wrapped) {
        if (plain.length != BYTES || wrapped.length > MasterKey.MAX_WRAPPED) {
            throw new IllegalArgumentException("a data key has " + BYTES + " bytes, and wrapped at most "
                    + MasterKey.MAX_WRAPPED + "; this one has " + plain.length + " and " + wrapped.length);
        }
        this.plain = plain;
        this.wrapped = wrapped;
    }

    /** The key itself. */
    public byte[] plain() {
        return plain;
    }

    /** As it stands beside what it encrypts. */
    public byte[] wrapped() {
        return wrapped;
    }

    /** Nothing of it. */
    @Override
    public String toString() {
        return "DataKey";
    }
}
