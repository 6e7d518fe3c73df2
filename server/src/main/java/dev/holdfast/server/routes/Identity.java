package dev.holdfast.server.routes;

import dev.holdfast.model.LeaseId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The lease id of a caller of {@code /v1}: its instanceId, and a hash of its name so that no other caller can mean it. The dots
 * keep it apart from the lease ids of {@code /v2}, which have none.
 */
final class Identity {
    private static final int HASH_LENGTH = 22; // 128 bits and a little more

    private Identity() {}

    static LeaseId of(String owner, String instanceId) {
        return new LeaseId("v1." + instanceId + "." + hash(owner));
    }

    private static String hash(String owner) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(owner.getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().encodeToString(digest).substring(0, HASH_LENGTH);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
