package dev.holdfast.guard.probe;

import java.io.EOFException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;

/**
 * TLS over a line. The other side is asked for the host by its name and must have a certificate for that name, whatever address
 * the line leads to.
 */
final class TlsConnection implements ProbeConnection {
    /** More records than any handshake has; ends a conversation that leads nowhere before its deadline. */
    private static final int MOST_STEPS = 500;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final ProbeConnection line;
    private final SSLEngine engine;
    private final ByteBuffer outgoing;
    private final ByteBuffer incoming;
    private final ByteBuffer plain;
    private int steps;

    TlsConnection(ProbeConnection line, SSLContext context, String host, int port) {
        this.line = line;
        engine = context.createSSLEngine(host, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        if (!AddressRange.literal(host)) {
            name(parameters, host);
        }
        engine.setSSLParameters(parameters);
        outgoing = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        incoming =
                ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).flip();
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
    }

    private static void name(SSLParameters parameters, String host) {
        try {
            parameters.setServerNames(List.of(new SNIHostName(host)));
        } catch (IllegalArgumentException e) {
            // A name with an underscore cannot be asked for. The certificate is still checked against it.
            parameters.setServerNames(List.of());
        }
    }

    /** Done once both sides trust the line; fails if the certificate is not one for the host. */
    CompletableFuture<Void> handshake() {
        try {
            engine.beginHandshake();
        } catch (SSLException e) {
            return CompletableFuture.failedFuture(e);
        }
        return handshakeOn();
    }

    private CompletableFuture<Void> handshakeOn() {
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED) {
            return CompletableFuture.completedFuture(null);
        }
        return step().thenCompose(going -> handshakeOn());
    }

    @Override
    public CompletableFuture<Void> send(ByteBuffer bytes) {
        return wrap(bytes)
                .thenCompose(
                        sent -> bytes.hasRemaining() ? send(bytes) : CompletableFuture.<Void>completedFuture(null));
    }

    @Override
    public CompletableFuture<Integer> receive(ByteBuffer into) {
        plain.flip();
        int count = Math.min(plain.remaining(), into.remaining());
        into.put(into.position(), plain, plain.position(), count);
        into.position(into.position() + count);
        plain.position(plain.position() + count);
        plain.compact();
        if (count > 0) {
            return CompletableFuture.completedFuture(count);
        }
        if (engine.isInboundDone()) {
            return CompletableFuture.completedFuture(-1);
        }
        return step().thenCompose(done -> receive(into));
    }

    /** Does the one thing the engine needs next. */
    private CompletableFuture<Void> step() {
        if (++steps > MOST_STEPS) {
            return CompletableFuture.failedFuture(new SSLException("the TLS conversation does not end"));
        }
        switch (engine.getHandshakeStatus()) {
            case NEED_TASK -> {
                for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
                    task.run();
                }
                return CompletableFuture.completedFuture(null);
            }
            case NEED_WRAP -> {
                return wrap(NOTHING.duplicate());
            }
            default -> {
                return unwrap();
            }
        }
    }

    private CompletableFuture<Void> wrap(ByteBuffer bytes) {
        try {
            outgoing.clear();
            SSLEngineResult result = engine.wrap(bytes, outgoing);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                return CompletableFuture.failedFuture(new SSLException("the TLS line was " + result.getStatus()));
            }
            return line.send(outgoing.flip());
        } catch (SSLException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> unwrap() {
        try {
            SSLEngineResult result = engine.unwrap(incoming, plain);
            return switch (result.getStatus()) {
                case OK, CLOSED -> CompletableFuture.completedFuture(null);
                case BUFFER_UNDERFLOW -> more();
                case BUFFER_OVERFLOW -> CompletableFuture.failedFuture(new SSLException("a TLS record is too long"));
            };
        } catch (SSLException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Void> more() {
        incoming.compact();
        return line.receive(incoming).thenCompose(count -> {
            incoming.flip();
            return count < 0
                    ? CompletableFuture.failedFuture(new EOFException("the server closed the line"))
                    : CompletableFuture.completedFuture(null);
        });
    }
}
