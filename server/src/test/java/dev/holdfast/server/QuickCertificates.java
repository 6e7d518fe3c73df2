package dev.holdfast.server;

import dev.holdfast.testkit.servers.Certificates;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import javax.security.auth.x500.X500Principal;

/**
 * A certificate and its key, made in this process: the JDK's own tool makes them too, but takes a second for each. What is written here is
 * the little of X.509 (RFC 5280) that the tests need.
 *
 * @param certificate the certificate
 * @param key its private key
 */
public record QuickCertificates(X509Certificate certificate, PrivateKey key) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final Duration USUAL = Duration.ofDays(30);
    /** How a key signs: the identifiers of RFC 5758 and RFC 8017. */
    private static final Map<String, String> SIGNED_WITH =
            Map.of("EC", "300a06082a8648ce3d040302", "RSA", "300d06092a864886f70d01010b0500");

    private static final String ALTERNATIVE_NAMES = "0603551d11";
    private static final String AUTHORITY = "0603551d130101ff040530030101ff";
    /** Tags of alternative names. */
    private static final Map<String, Integer> KINDS = Map.of("dns", 0x82, "uri", 0x86);

    /** Signed by itself, for this machine, with an RSA key. */
    public static QuickCertificates rsa(String name) {
        return ofThisMachine("RSA", name);
    }

    /** The same with an elliptic curve key. */
    public static QuickCertificates ec(String name) {
        return ofThisMachine("EC", name);
    }

    /** Signs others. */
    static QuickCertificates authority(String name) {
        KeyPair keys = keys("EC");
        return make(keys, "CN=" + name, keys.getPrivate(), "CN=" + name, end(), unhex(AUTHORITY));
    }

    /** Somebody with these names, {@code uri:…} or {@code dns:…}, until then; signed by this one. */
    QuickCertificates sign(String subject, List<String> names, Instant end) {
        byte[] all = join(names.stream()
                .map(name ->
                        der(KINDS.get(name.substring(0, 3)), name.substring(4).getBytes(StandardCharsets.US_ASCII)))
                .toArray(byte[][]::new));
        KeyPair keys = keys("EC");
        return make(
                keys,
                subject,
                key,
                certificate.getSubjectX500Principal().getName(),
                end,
                names.isEmpty() ? new byte[0] : names(all));
    }

    static Instant end() {
        return Instant.now().plus(USUAL);
    }

    /** Both as PEM. */
    public Certificates pem() {
        try {
            return new Certificates(pem("CERTIFICATE", certificate.getEncoded()), pem("PRIVATE KEY", key.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + kind + "-----\n";
    }

    // ---- making

    private static QuickCertificates ofThisMachine(String algorithm, String name) {
        KeyPair keys = keys(algorithm);
        byte[] address = names(der(0x87, new byte[] {127, 0, 0, 1}));
        return make(keys, "CN=" + name, keys.getPrivate(), "CN=" + name, end(), address);
    }

    private static KeyPair keys(String algorithm) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
            if (algorithm.equals("EC")) {
                generator.initialize(new ECGenParameterSpec("secp256r1"));
            } else {
                generator.initialize(2048);
            }
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static QuickCertificates make(
            KeyPair keys, String subject, PrivateKey signer, String issuer, Instant end, byte[] extension) {
        byte[] how = unhex(SIGNED_WITH.get(signer.getAlgorithm()));
        byte[] serial = new BigInteger(62, ThreadLocalRandom.current())
                .add(BigInteger.ONE)
                .toByteArray();
        byte[] told = sequence(
                unhex("a003020102"), // version 3
                der(0x02, serial),
                how,
                new X500Principal(issuer).getEncoded(),
                sequence(time(Instant.now().minus(Duration.ofDays(1))), time(end)),
                new X500Principal(subject).getEncoded(),
                keys.getPublic().getEncoded(),
                extension.length == 0 ? extension : der(0xa3, sequence(sequence(extension))));
        try {
            Signature signature =
                    Signature.getInstance(signer.getAlgorithm().equals("EC") ? "SHA256withECDSA" : "SHA256withRSA");
            signature.initSign(signer);
            signature.update(told);
            byte[] whole = sequence(told, how, der(0x03, join(new byte[] {0}, signature.sign())));
            return new QuickCertificates(
                    (X509Certificate) CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(whole)),
                    keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] names(byte[] all) {
        return join(unhex(ALTERNATIVE_NAMES), der(0x04, sequence(all)));
    }

    private static byte[] time(Instant time) {
        return der(0x17, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
    }

    // ---- DER

    private static byte[] sequence(byte[]... parts) {
        return der(0x30, join(parts));
    }

    private static byte[] der(int tag, byte[] content) {
        int length = content.length;
        byte[] head = length < 0x80
                ? new byte[] {(byte) tag, (byte) length}
                : length < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) length}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (length >> 8), (byte) length};
        return join(head, content);
    }

    private static byte[] join(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (byte[] part : parts) {
                all.write(part);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return all.toByteArray();
    }

    private static byte[] unhex(String digits) {
        return HexFormat.of().parseHex(digits);
    }
}
