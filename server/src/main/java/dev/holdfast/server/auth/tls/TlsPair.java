package dev.holdfast.server.auth.tls;

import dev.holdfast.server.auth.Digest;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;

/**
 * A certificate chain and its key, as read at one moment and found to belong together.
 *
 * @param options for the server, with the content itself: files that change later do not change it
 * @param certificate the server's own
 * @param content identifies what was read
 */
record TlsPair(PemKeyCertOptions options, X509Certificate certificate, Digest content) {
    /**
     * Checks that the server could use it.
     *
     * @throws IllegalArgumentException saying which file is wrong, and how
     */
    static TlsPair of(TlsContent content, Vertx vertx) {
        List<X509Certificate> chain =
                TlsContent.certificates("TLS certificate file " + content.certificatePath(), content.certificates());
        PrivateKey key = key(content, chain.get(0), vertx);
        if (!belong(key, chain.get(0).getPublicKey())) {
            boolean wrongOrder = chain.stream().skip(1).anyMatch(other -> belong(key, other.getPublicKey()));
            throw strangers(content, wrongOrder ? ": the server's own certificate must be the first in the file" : "");
        }
        PemKeyCertOptions options = options(content.certificates(), content.key());
        try {
            options.copy().getKeyManagerFactory(vertx);
        } catch (Exception e) {
            throw new IllegalArgumentException("TLS certificates in " + content.certificatePath()
                    + " are not a chain: each must be followed by the one that signed it");
        }
        return new TlsPair(options, chain.get(0), content.digest());
    }

    private static PemKeyCertOptions options(Buffer certificates, Buffer key) {
        return new PemKeyCertOptions().setCertValue(certificates).setKeyValue(key);
    }

    /** Read by the server's own code, so that what passes here works there. */
    private static PrivateKey key(TlsContent content, X509Certificate certificate, Vertx vertx) {
        String text = content.key().toString(StandardCharsets.ISO_8859_1);
        if (text.contains("ENCRYPTED")) {
            throw new IllegalArgumentException(
                    "TLS key " + content.keyPath()
                            + " is encrypted, which is not supported. Decrypt it with: openssl pkey -in <file> -out <new file>");
        }
        if (!text.contains("PRIVATE KEY-----")) {
            throw new IllegalArgumentException(
                    "TLS key file " + content.keyPath() + " has no private key (BEGIN PRIVATE KEY) in it");
        }
        try {
            KeyManager[] managers = options(pem(certificate), content.key())
                    .getKeyManagerFactory(vertx)
                    .getKeyManagers();
            return Arrays.stream(managers)
                    .filter(X509KeyManager.class::isInstance)
                    .map(X509KeyManager.class::cast)
                    .map(manager -> manager.getPrivateKey(
                            manager.getServerAliases(certificate.getPublicKey().getAlgorithm(), null)[0]))
                    .findFirst()
                    .orElseThrow();
        } catch (Exception e) {
            // An RSA key for an EC certificate is noticed by the key store itself.
            if (String.valueOf(e.getMessage()).contains("does not match algorithm of public key")) {
                throw strangers(content, "");
            }
            // The cause is not shown: it may quote the file, and the file is a secret.
            throw new IllegalArgumentException(
                    "TLS key " + content.keyPath() + " cannot be read: damaged, incomplete, or neither RSA nor EC ("
                            + e.getClass().getSimpleName() + ")");
        }
    }

    private static Buffer pem(X509Certificate certificate) throws CertificateException {
        String body = Base64.getMimeEncoder().encodeToString(certificate.getEncoded());
        return Buffer.buffer("-----BEGIN CERTIFICATE-----\n" + body + "\n-----END CERTIFICATE-----\n");
    }

    private static IllegalArgumentException strangers(TlsContent content, String hint) {
        return new IllegalArgumentException("TLS key " + content.keyPath() + " does not belong to the certificate in "
                + content.certificatePath() + hint);
    }

    /** What the key signs, the certificate must confirm. */
    private static boolean belong(PrivateKey key, PublicKey certified) {
        try {
            String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
            byte[] challenge = "do these two belong together?".getBytes(StandardCharsets.UTF_8);
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(challenge);
            byte[] signed = signature.sign();
            signature.initVerify(certified);
            signature.update(challenge);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }
}
