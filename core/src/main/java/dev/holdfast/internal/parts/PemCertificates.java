package dev.holdfast.internal.parts;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** Certificates in PEM form, and trust in whatever they have signed. */
public final class PemCertificates {
    private PemCertificates() {}

    /** Those of a file, in their order; empty if it has none. */
    public static List<X509Certificate> read(byte[] pem) throws CertificateException {
        return CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                .map(X509Certificate.class::cast)
                .toList();
    }

    /** Believes what these have signed, and nothing else. */
    public static TrustManager[] trusting(Collection<X509Certificate> authorities) throws GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        try {
            trusted.load(null, null);
        } catch (IOException e) { // there is nothing to load
            throw new KeyStoreException(e);
        }
        for (X509Certificate one : authorities) {
            trusted.setCertificateEntry("ca-" + trusted.size(), one);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        return factory.getTrustManagers();
    }
}
