package dev.holdfast.server;

import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/** An authority that signs certificates of clients. */
final class ClientCerts {
    private final QuickCertificates authority;

    /** A new authority of this name. */
    ClientCerts(String name) {
        authority = QuickCertificates.authority(name);
    }

    /** Its own certificate, as PEM. */
    String certificate() {
        return authority.pem().certificate();
    }

    /**
     * A client's context with a certificate it signed, trusting this server.
     *
     * @param subject such as {@code CN=ci,O=Acme}
     * @param names such as {@code dns:ci.acme}
     */
    SSLContext client(String subject, List<String> names, Path server) throws Exception {
        return client(authority.sign(subject, names, QuickCertificates.end()), server);
    }

    /** One that is valid until then. */
    QuickCertificates signed(String subject, Instant end) {
        return authority.sign(subject, List.of(), end);
    }

    static SSLContext client(QuickCertificates own, Path server) throws Exception {
        return context(new KeyManager[] {new Stubborn(own.key(), new X509Certificate[] {own.certificate()})}, server);
    }

    /** A client without a certificate. */
    static SSLContext nobody(Path server) throws Exception {
        return context(new KeyManager[0], server);
    }

    private static SSLContext context(KeyManager[] keys, Path server) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("server", read(server).iterator().next());
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys, trust.getTrustManagers(), new SecureRandom());
        return context;
    }

    private static Collection<? extends Certificate> read(Path pem) throws Exception {
        try (InputStream in = Files.newInputStream(pem)) {
            return CertificateFactory.getInstance("X.509").generateCertificates(in);
        }
    }

    /** Shows its certificate whatever authorities the server names; those of the JDK keep it to themselves then. */
    private static final class Stubborn extends X509ExtendedKeyManager {
        private final PrivateKey key;
        private final X509Certificate[] chain;

        Stubborn(PrivateKey key, X509Certificate[] chain) {
            this.key = key;
            this.chain = chain;
        }

        private static @Nullable String alias(String... types) {
            return List.of(types).contains("EC") ? "it" : null;
        }

        @Override
        public @Nullable String chooseEngineClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias(types);
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias(types);
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return chain;
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return key;
        }

        @Override
        public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
            return null;
        }

        @Override
        public @Nullable String chooseServerAlias(
                String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }
    }
}
