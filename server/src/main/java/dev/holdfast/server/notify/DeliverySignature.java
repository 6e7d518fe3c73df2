package dev.holdfast.server.notify;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves to a receiver that a delivery is ours, and from when: {@code t=1794928529,v1=…}, where v1 is the HMAC-SHA256, in hexadecimal
 * digits, of the time, a full stop and the body, under the secret of the webhook.
 */
final class DeliverySignature {
    private static final String ALGORITHM = "HmacSHA256";

    private DeliverySignature() {}

    static String of(String secret, Instant at, byte[] body) {
        long seconds = at.getEpochSecond();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
            return "t=" + seconds + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HMAC-SHA256", e);
        }
    }
}
