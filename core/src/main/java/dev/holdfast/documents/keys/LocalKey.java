package dev.holdfast.documents.keys;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A master key this process has in its memory. Its id is made of the key itself, so it needs no name: the same key has the same id
 * wherever it is read from, and another key another one.
 */
final class LocalKey implements MasterKey {
    private static final String PREFIX = "aes-";
    private static final int ID_DIGITS = 16;
    /** Fewer different bytes than this were not made at random. */
    private static final int LEAST_DIFFERENT = 12;

    private final byte[] key;
    private final String id;

    private LocalKey(byte[] key) {
        this.key = key;
        byte[] said = ByteBuffer.allocate(64 + key.length)
                .put(Arrays.copyOf("holdfast master key".getBytes(StandardCharsets.US_ASCII), 64))
                .put(key)
                .array();
        this.id = PREFIX + Sha256.of(said).substring(0, ID_DIGITS);
    }

    /**
     * Of these 32 bytes.
     *
     * @throws IllegalArgumentException saying what is wrong, never with the key
     */
    static LocalKey of(byte[] key) {
        if (key.length != DataKey.BYTES) {
            throw new IllegalArgumentException("must have " + DataKey.BYTES + " bytes, has " + key.length);
        }
        long different = java.util.stream.IntStream.range(0, key.length)
                .map(i -> key[i])
                .distinct()
                .count();
        if (different < LEAST_DIFFERENT) {
            throw new IllegalArgumentException("is not random");
        }
        return new LocalKey(key.clone());
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public DataKey create() {
        byte[] plain = Aes.random(DataKey.BYTES);
        byte[] nonce = Aes.random(Aes.NONCE);
        byte[] wrapped = Arrays.copyOf(nonce, Aes.NONCE + plain.length + Aes.TAG);
        Aes.encrypt(key, nonce, associated(), plain, wrapped, Aes.NONCE);
        return new DataKey(plain, wrapped);
    }

    @Override
    public byte[] unwrap(byte[] wrapped) throws WrongKeyException {
        return Aes.decrypt(key, Arrays.copyOf(wrapped, Aes.NONCE), associated(), wrapped, Aes.NONCE);
    }

    private byte[] associated() {
        return ("holdfast data key under " + id).getBytes(StandardCharsets.US_ASCII);
    }

    /** Its id alone. */
    @Override
    public String toString() {
        return id;
    }
}
