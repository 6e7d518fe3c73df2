package dev.holdfast.documents.keys;

/**
 * A key that never touches a document: it wraps the data keys that do. Calls may block, where the key is kept by a service. Safe for
 * any thread.
 */
public interface MasterKey {
    /** Longest id: it stands beside every document. */
    int MAX_ID = 48;
    /** Longest wrapped data key, in bytes. */
    int MAX_WRAPPED = 1_024;

    /**
     * By which it is known again, for ever: {@value #MAX_ID} letters, digits and {@code . _ : -} at most. Two different keys never
     * have the same.
     */
    String id();

    /**
     * A new data key, and the same wrapped by this one.
     *
     * @throws dev.holdfast.spi.StoreException if a key service does not answer, or refuses
     */
    DataKey create();

    /**
     * The data key that was wrapped by this one, 32 bytes.
     *
     * @throws dev.holdfast.spi.StoreException if a key service does not answer, or refuses
     * @throws WrongKeyException if these bytes were not wrapped by it, or are damaged
     */
    byte[] unwrap(byte[] wrapped) throws WrongKeyException;
}
