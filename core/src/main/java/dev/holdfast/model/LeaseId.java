package dev.holdfast.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.Optional;

/**
 * Names one acquisition. Later acts (renew, release) carry it; if it differs from what is stored, nothing changes.
 *
 * <p>Knowing it is the right to release the lock, so it has at least 128 random bits when we make it, and it is never shown
 * to others: they see {@link #fingerprint()}.
 *
 * @param value 8 to 128 of letters, digits, {@code _ - .}; clients choose theirs without dots, so that what a server composes
 *     itself cannot be named by another
 */
public record LeaseId(String value) {
    private static final String INSTANCE = "v1.";
    private static final int HASH_LENGTH = 22; // 128 bits and a little more

    /** Checks the characters and the length. */
    public LeaseId {
        Names.sized("lease id", value, 8, 128);
        for (int i = 0; i < value.length(); i++) {
            if (!Names.isWordOr(value.charAt(i), "_-.")) {
                throw new IllegalArgumentException("lease id may use only letters, digits, '_', '-' and '.'; character "
                        + (i + 1) + " is another");
            }
        }
    }

    /** The lease id made of these 128 random bits. */
    public static LeaseId ofBits(long high, long low) {
        char[] text = new char[32];
        hex(high, text, 0);
        hex(low, text, 16);
        return new LeaseId(new String(text));
    }

    /**
     * The lease id that stands for an instance of an owner, where callers know no lease ids ({@code /v1}): its instanceId, and a hash
     * of the owner's name so that no other owner can mean it. The dots keep it apart from ids that clients choose. Stored, so the
     * same for ever.
     */
    public static LeaseId ofInstance(String owner, String instanceId) {
        return new LeaseId(INSTANCE + instanceId + "." + hash(owner));
    }

    /** What {@link #ofInstance} was given; empty for other lease ids. */
    public Optional<String> instanceId() {
        int end = value.lastIndexOf('.');
        return value.startsWith(INSTANCE) && end > INSTANCE.length()
                ? Optional.of(value.substring(INSTANCE.length(), end))
                : Optional.empty();
    }

    private static String hash(String owner) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private static void hex(long bits, char[] into, int at) {
        for (int i = 0; i < 16; i++) {
            into[at + i] = Character.forDigit((int) (bits >>> (60 - 4 * i)) & 15, 16);
        }
    }

    /**
     * 64 bits that stand for this id in the list of ended leases and in the audit trail. Not invertible for random ids;
     * equal ids have equal fingerprints on every machine and in every version.
     */
    public long fingerprint() {
        long hash = 0xcbf29ce484222325L; // FNV-1a: fixed for ever, since it is stored
        for (int i = 0; i < value.length(); i++) {
            hash = (hash ^ value.charAt(i)) * 0x100000001b3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        return hash ^ (hash >>> 33);
    }

    /** Only the fingerprint: the id itself must not reach a log. */
    @Override
    public String toString() {
        return "lease#" + Long.toHexString(fingerprint());
    }
}
