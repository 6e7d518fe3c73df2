package dev.holdfast.client;

import dev.holdfast.internal.parts.PemCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** Whom a client trusts, when it is not those of the JDK, and what it shows of itself. */
final class TlsTrust {
    private TlsTrust() {}

    /** Nobody at all: for connections that are not secured. */
    static SSLContext nobody() {
        return context(null, new TrustManager[0]);
    }

    private static SSLContext context(KeyManager @Nullable [] shown, TrustManager @Nullable [] trusted) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(shown, trusted, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    /**
     * Whom a client of these servers trusts, and what it shows of itself; empty if that is what the JDK does anyway.
     *
     * @throws IllegalArgumentException if a file cannot be used, naming it
     */
    static Optional<SSLContext> of(ServerConfig config) {
        if (config.caFile().isEmpty() && config.identity().isEmpty()) {
            return Optional.empty();
        }
        KeyManager @Nullable [] shown = config.identity().isEmpty()
                ? null
                : new KeyManager[] {new IdentityKeys(config.identity().get())};
        TrustManager @Nullable [] trusted =
                config.caFile().isEmpty() ? null : in(config.caFile().get());
        return Optional.of(context(shown, trusted));
    }

    /** Those who signed what is in a PEM file. */
    private static TrustManager[] in(Path file) {
        try {
            List<X509Certificate> all = PemCertificates.read(Files.readAllBytes(file));
            if (all.isEmpty()) {
                throw new IllegalArgumentException("'" + file + "' has no certificate in it");
            }
            return PemCertificates.trusting(all);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificates to trust cannot be read from '" + file + "': " + e, e);
        }
    }
}
