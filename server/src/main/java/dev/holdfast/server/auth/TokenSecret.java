package dev.holdfast.server.auth;

import java.security.SecureRandom;
import java.util.Base64;

/** The text of an API token: what its owner sends. */
public final class TokenSecret {
    /** Tokens begin so, for people and for programs that look for secrets in the wrong places. */
    public static final String PREFIX = "hf_";

    private static final int RANDOM_BYTES = 32;

    private TokenSecret() {}

    /** A new one, of 256 random bits. */
    public static String random() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** The hash the server knows a token by: over its UTF-8 bytes, as lower-case hexadecimal digits. */
    public static String sha256(String token) {
        return Digest.of(token).hex();
    }
}
