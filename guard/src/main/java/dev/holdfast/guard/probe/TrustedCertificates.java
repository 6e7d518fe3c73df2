package dev.holdfast.guard.probe;

import dev.holdfast.internal.parts.PemCertificates;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

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
        return believing(pem, List.of());
    }

    /** What the JDK believes, and what these PEM certificates have signed. */
    public static SSLContext standardAnd(String pem) {
        try {
            return believing(
                    pem,
                    Arrays.stream(jdkManagers())
                            .filter(X509TrustManager.class::isInstance)
                            .flatMap(known -> Arrays.stream(((X509TrustManager) known).getAcceptedIssuers()))
                            .toList());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no usable TLS: " + e.getMessage(), e);
        }
    }

    private static SSLContext believing(String pem, List<X509Certificate> others) {
        try {
            List<X509Certificate> all = new ArrayList<>(PemCertificates.read(pem.getBytes(StandardCharsets.US_ASCII)));
            if (all.isEmpty()) {
                throw new GeneralSecurityException("there is none in it");
            }
            all.addAll(others);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, PemCertificates.trusting(all), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("not certificates in PEM form: " + e.getMessage(), e);
        }
    }

    private static TrustManager[] jdkManagers() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return factory.getTrustManagers();
    }
}
