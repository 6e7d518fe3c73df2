package dev.holdfast.documents;

import dev.holdfast.documents.keys.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a document, with their SHA-256, which is made when it is first asked for and never again: large contents are hashed
 * once, whoever needs it. Any thread may use it.
 */
public final class Content {
    private final byte[] bytes;
    private @Nullable String sha256;

    private Content(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Of these bytes, which are not copied: do not change them afterwards. */
    public static Content of(byte[] bytes) {
        return new Content(bytes);
    }

    /** The bytes; not a copy. */
    public byte[] bytes() {
        return bytes;
    }

    /** Their fingerprint: 64 hexadecimal digits in small letters. Waits for another thread that is making it. */
    public synchronized String sha256() {
        if (sha256 == null) {
            sha256 = Sha256.of(bytes);
        }
        return sha256;
    }
}
