package dev.holdfast.server.auth.tls;

import dev.holdfast.internal.parts.PemCertificates;
import dev.holdfast.server.auth.Digest;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;

/** What is in the two files, not yet looked at. */
record TlsContent(Path certificatePath, Buffer certificates, Path keyPath, Buffer key) {
    /** No chain and no key comes near. */
    private static final int MAX_FILE = 1024 * 1024;

    /**
     * Reads both; blocks.
     *
     * @throws IllegalArgumentException saying which cannot be read
     */
    static TlsContent read(Path certificatePath, Path keyPath) {
        return new TlsContent(
                certificatePath, read("TLS certificate file", certificatePath), keyPath, read("TLS key file", keyPath));
    }

    /** Of both parts, each in its own hash, so that no byte can move from one to the other. */
    Digest digest() {
        return Digest.of(Digest.of(certificates.getBytes()).hex()
                + Digest.of(key.getBytes()).hex());
    }

    static Buffer read(String what, Path path) {
        try (InputStream in = Files.newInputStream(path)) {
            byte[] bytes = in.readNBytes(MAX_FILE + 1);
            if (bytes.length > MAX_FILE) {
                throw new IllegalArgumentException(what + " " + path + " is larger than 1 MB");
            }
            return Buffer.buffer(bytes);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(what + " " + path + " does not exist", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(what + " " + path + " cannot be read: " + e.getMessage(), e);
        }
    }

    /**
     * All certificates of a file; at least one.
     *
     * @throws IllegalArgumentException if there is none, or one is damaged; begins with {@code file}
     */
    static List<X509Certificate> certificates(String file, Buffer pem) {
        try {
            List<X509Certificate> all = PemCertificates.read(pem.getBytes());
            if (all.isEmpty()) {
                throw new IllegalArgumentException(file + " has no certificate (BEGIN CERTIFICATE) in it");
            }
            return all;
        } catch (CertificateException e) {
            throw new IllegalArgumentException(file + " is damaged or incomplete: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "TlsContent[" + certificatePath + ", " + keyPath + "]";
    }
}
