package dev.holdfast.documents.keys;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The fingerprint by which a content is known again: 64 hexadecimal digits in small letters. */
public final class Sha256 {
    private Sha256() {}

    /** Of all of it. */
    public static String of(byte[] content) {
        return end(start().digest(content));
    }

    /** Of a part of it. */
    public static String of(byte[] content, int from, int length) {
        MessageDigest digest = start();
        digest.update(content, from, length);
        return end(digest);
    }

    /** A digest to be fed piece by piece. */
    public static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Of what was fed. */
    public static String end(MessageDigest digest) {
        return end(digest.digest());
    }

    private static String end(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
