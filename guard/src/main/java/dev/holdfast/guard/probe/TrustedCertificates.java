package dev.holdfast.guard.probe;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whose certificates are believed, as an SSLContext that sends none of its own. */
public final class TrustedCertificates {
    private TrustedCertificates() {}

    /** Those the JDK believes. */
    public static SSLContext standard() {
        try {
            return SSLContext.getDefault();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no usable TLS: " + e.getMessage(), e);
        }
    }

    /** Only what these PEM certificates have signed. Throws IllegalArgumentException if the text holds none. */
    public static SSLContext only(String pem) {
        try {
            return context(empty(), certificates(pem));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("not certificates in PEM form: " + e.getMessage(), e);
        }
    }

    /** What the JDK believes, and what these PEM certificates have signed. */
    public static SSLContext standardAnd(String pem) {
        try {
            KeyStore all = empty();
            int number = 0;
            for (TrustManager manager : managers(null)) {
                if (manager instanceof X509TrustManager known) {
                    for (X509Certificate issuer : known.getAcceptedIssuers()) {
                        all.setCertificateEntry("standard-" + number++, issuer);
                    }
                }
            }
            return context(all, certificates(pem));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("not certificates in PEM form: " + e.getMessage(), e);
        }
    }

    private static Collection<? extends Certificate> certificates(String pem) throws GeneralSecurityException {
        Collection<? extends Certificate> found = CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        if (found.isEmpty()) {
            throw new GeneralSecurityException("there is none in it");
        }
        return found;
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static SSLContext context(KeyStore store, Collection<? extends Certificate> more)
            throws GeneralSecurityException {
        int number = 0;
        for (Certificate certificate : more) {
            store.setCertificateEntry("given-" + number++, certificate);
        }
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers(store), null);
        return context;
    }

    private static TrustManager[] managers(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
