package dev.holdfast.state;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, as every Java has it. */
final class Sha256 {
    private Sha256() {}

    static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String hex(byte[] bytes) {
        return hex(bytes, 0, bytes.length);
    }

    static String hex(byte[] bytes, int from, int length) {
        MessageDigest digest = start();
        digest.update(bytes, from, length);
        return end(digest);
    }

    static String end(MessageDigest digest) {
        return HexFormat.of().formatHex(digest.digest());
    }
}
