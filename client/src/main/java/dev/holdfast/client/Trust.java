package dev.holdfast.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Whom a client trusts, when it is not those of the JDK. */
public final class Trust {
    private Trust() {}

    /** Nobody at all: for connections that are not secured. */
    static SSLContext nobody() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[0], null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /**
     * The certificates of a PEM file.
     *
     * @throws IllegalArgumentException if it cannot be read, or has none, naming the file
     */
    public static SSLContext in(Path file) {
        try (InputStream pem = Files.newInputStream(file)) {
            Collection<? extends Certificate> all =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (all.isEmpty()) {
                throw new IllegalArgumentException("'" + file + "' has no certificate in it");
            }
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, null);
            for (Certificate one : all) {
                trusted.setCertificateEntry("ca-" + trusted.size(), one);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, factory.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificates to trust cannot be read from '" + file + "': " + e, e);
        }
    }
}
