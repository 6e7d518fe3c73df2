package dev.holdfast.guard.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.guard.actuator.FakeEndpoint.Asked;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The signature a request should have, worked out from what arrived, as AWS does. */
final class Signature {
    private static final Pattern HEADER = Pattern.compile(
            "AWS4-HMAC-SHA256 Credential=(\\w+)/(\\d{8})/([a-z0-9-]+)/(\\w+)/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=[0-9a-f]{64}");

    private Signature() {}

    static String of(Asked asked, String service, String secret) throws Exception {
        Matcher given = HEADER.matcher(asked.header("Authorization"));
        if (!given.matches()) {
            return "a signature; got '" + asked.header("Authorization") + "'";
        }
        String day = given.group(2);
        String region = given.group(3);
        StringBuilder canonical = new StringBuilder("POST\n/\n\n");
        for (String name : given.group(5).split(";", -1)) {
            canonical
                    .append(name)
                    .append(':')
                    .append(asked.header(name).strip())
                    .append('\n');
        }
        canonical.append('\n').append(given.group(5)).append('\n').append(hash(asked.body()));
        String scope = day + "/" + region + "/" + service + "/aws4_request";
        String text =
                "AWS4-HMAC-SHA256\n" + asked.header("X-Amz-Date") + "\n" + scope + "\n" + hash(canonical.toString());
        byte[] key = mac(mac(mac(mac(("AWS4" + secret).getBytes(UTF_8), day), region), service), "aws4_request");
        return "AWS4-HMAC-SHA256 Credential=" + given.group(1) + "/" + scope + ", SignedHeaders=" + given.group(5)
                + ", Signature=" + HexFormat.of().formatHex(mac(key, text));
    }

    private static String hash(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    }

    private static byte[] mac(byte[] key, String text) throws Exception {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(text.getBytes(UTF_8));
    }
}
