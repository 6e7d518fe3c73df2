package dev.holdfast.server.auth.tls;

import dev.holdfast.internal.parts.PemCertificates;
import dev.holdfast.server.auth.Digest;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemTrustOptions;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.X509TrustManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The authorities whose client certificates are accepted, in a PEM file that may be exchanged while the server runs. A file that cannot be
 * used is never handed out; until it can, the one before stays.
 */
public final class ClientCaFile extends FileWatch<ClientCaFile.Authorities> {
    private static final Logger LOG = LoggerFactory.getLogger(ClientCaFile.class);

    /**
     * What the file had in it at one moment.
     *
     * @param options for the server, with the content itself
     */
    public record Authorities(PemTrustOptions options, X509TrustManager manager) {}

    private final Path path;
    private volatile Authorities current;
    private Digest content; // only the watch's thread changes it

    /**
     * Reads it; blocks for that.
     *
     * @throws IllegalArgumentException saying what is wrong with it
     */
    public ClientCaFile(Path path) {
        super("holdfast-client-ca", LOG, "Changed client authorities are not used yet, those before stay");
        this.path = path;
        Buffer read = TlsContent.read("file of client authorities (server.tls.client-ca)", path);
        this.content = Digest.of(read.getBytes());
        this.current = authorities(read);
    }

    public Authorities current() {
        return current;
    }

    @Override
    void look(Consumer<Authorities> changed) {
        Buffer read = TlsContent.read("file of client authorities (server.tls.client-ca)", path);
        Digest now = Digest.of(read.getBytes());
        if (!now.equals(content)) {
            Authorities next = authorities(read);
            changed.accept(next);
            current = next;
            content = now;
            LOG.info("Client authorities exchanged: {}", path);
        }
    }

    private Authorities authorities(Buffer pem) {
        try {
            List<X509Certificate> all = TlsContent.certificates("The file of client authorities " + path, pem);
            X509TrustManager manager = Arrays.stream(PemCertificates.trusting(all))
                    .filter(X509TrustManager.class::isInstance)
                    .map(X509TrustManager.class::cast)
                    .findFirst()
                    .orElseThrow();
            return new Authorities(new PemTrustOptions().addCertValue(pem), manager);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no trust managers", e);
        }
    }
}
