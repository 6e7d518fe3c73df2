package dev.holdfast.server.auth.tls;

import dev.holdfast.internal.parts.DaemonThreads;
import io.vertx.core.Vertx;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
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
public final class TlsFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    /** Renewals happen weeks before the end; what is left by now was forgotten. */
    private static final Duration SOON = Duration.ofDays(7);

    private final Path certificatePath;
    private final Path keyPath;
    private final Vertx vertx;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, DaemonThreads.numbered("holdfast-tls"));

    private volatile TlsPair current;
    private volatile Optional<String> complaint = Optional.empty();
    private volatile Runnable looking = () -> {};

    /**
     * Reads both files; blocks for that. An expired certificate is used, with a warning.
     *
     * @param certificatePath the chain, the server's own certificate first
     * @param keyPath its private key, RSA or EC, not encrypted
     * @throws IllegalArgumentException saying which file is wrong, and how
     */
    public TlsFiles(Path certificatePath, Path keyPath, Vertx vertx) {
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

    /** What is wrong with the files as they are now, while the pair before stays in use; empty if nothing. */
    public Optional<String> complaint() {
        return complaint;
    }

    /**
     * Looks every so often whether the files have changed (by content: a renewed certificate for the same key counts too), and
     * tells {@code changed}, on a thread of its own. If that throws, the pair is offered again next time.
     */
    public void watch(Duration every, Consumer<PemKeyCertOptions> changed) {
        if (every.compareTo(Duration.ofMillis(10)) < 0) {
            throw new IllegalArgumentException(
                    "TLS files must be looked at every 10ms or less often, was '" + every + "'");
        }
        looking = () -> look(changed);
        var unused = timer.scheduleWithFixedDelay(looking, every.toNanos(), every.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Looks now, too, on the thread that looks every so often; does nothing if nobody watches. */
    public void lookNow() {
        timer.execute(looking);
    }

    private void look(Consumer<PemKeyCertOptions> changed) {
        try {
            TlsContent content = TlsContent.read(certificatePath, keyPath);
            if (!content.digest().equals(current.content())) {
                TlsPair pair = TlsPair.of(content, vertx);
                changed.accept(pair.options().copy());
                current = pair;
                LOG.info("TLS certificate replaced: {}, valid until {}", certificatePath, expires());
                warnIfItEndsSoon();
            }
            complaint = Optional.empty();
        } catch (RuntimeException e) {
            complain(e instanceof IllegalArgumentException ? String.valueOf(e.getMessage()) : "Not accepted: " + e);
        }
    }

    /** Once for each thing that is wrong, not at each look: an exchange of two files is half done for a moment. */
    private void complain(String what) {
        Optional<String> now = Optional.of(what);
        if (!now.equals(complaint)) {
            complaint = now;
            LOG.warn("Changed TLS files are not used yet, the previous certificate stays: {}", what);
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

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
