package dev.holdfast.server.auth.tls;

import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's certificate chain and key, in two PEM files that may be exchanged while it runs. Only a pair that is complete
 * and belongs together is ever handed out; until then the one before stays.
 *
 * <pre>
 *   TlsFiles tls = new TlsFiles(cert, key, vertx);
 *   ServerSSLOptions ssl = new ServerSSLOptions().setKeyCertOptions(tls.options());
 *   …
 *   tls.watch(Duration.ofSeconds(10), pair -&gt; server.updateSSLOptions(ssl.copy().setKeyCertOptions(pair)));
 * </pre>
 */
public final class TlsFiles extends FileWatch<PemKeyCertOptions> {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    /** Renewals happen weeks before the end; what is left by now was forgotten. */
    private static final Duration SOON = Duration.ofDays(7);

    private final Path certificatePath;
    private final Path keyPath;
    private final Vertx vertx;

    private volatile TlsPair current;

    /**
     * Reads both files; blocks for that. An expired certificate is used, with a warning.
     *
     * @param certificatePath the chain, the server's own certificate first
     * @param keyPath its private key, RSA or EC, not encrypted
     * @throws IllegalArgumentException saying which file is wrong, and how
     */
    public TlsFiles(Path certificatePath, Path keyPath, Vertx vertx) {
        super("holdfast-tls", LOG, "Changed TLS files are not used yet, the previous certificate stays");
        this.certificatePath = certificatePath;
        this.keyPath = keyPath;
        this.vertx = vertx;
        this.current = TlsPair.of(TlsContent.read(certificatePath, keyPath), vertx);
        warnIfItEndsSoon();
    }

    public PemKeyCertOptions options() {
        return current.options().copy();
    }

    public Instant expires() {
        return current.certificate().getNotAfter().toInstant();
    }

    @Override
    void look(Consumer<PemKeyCertOptions> changed) {
        TlsContent content = TlsContent.read(certificatePath, keyPath);
        if (!content.digest().equals(current.content())) {
            TlsPair pair = TlsPair.of(content, vertx);
            changed.accept(pair.options().copy());
            current = pair;
            LOG.info("TLS certificate replaced: {}, valid until {}", certificatePath, expires());
            warnIfItEndsSoon();
        }
    }

    private void warnIfItEndsSoon() {
        Instant now = Instant.now();
        if (expires().isBefore(now.plus(SOON))) {
            LOG.warn(
                    "TLS certificate {} {} at {}. Put a new one in its place; it is picked up without a restart.",
                    certificatePath,
                    expires().isAfter(now) ? "expires" : "expired",
                    expires());
        }
    }
}
