package dev.holdfast.client.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * One request from its own thread: connect or take a connection that was kept, write, read the answer, keep or close the connection. Fails with
 * the exceptions of the JDK's client, since whoever asked concludes from them whether the request may have arrived. The timeouts of a socket cover connecting and reading only; {@link Deadlines} ends what waits
 * for a name or for a server that does not read.
 *
 * @param <T> what the body becomes
 */
final class SocketExchange<T> {
    private static final int PART = 16 * 1024;
    private static final String TIMED_OUT = "request timed out";
    private static final Pattern OUR_CERTIFICATE =
            Pattern.compile("Received fatal alert: (\\w*certificate\\w*|unknown_ca|access_denied)");

    private final SocketHttpClient client;
    private final HttpRequest request;
    private final BodyHandler<T> handler;
    private final CompletableFuture<HttpResponse<T>> response = new CompletableFuture<>();
    private final Optional<Long> deadline;
    private final long connectDeadline;

    /** Without TLS, which may wait for whoever writes before it closes. */
    private @Nullable Socket plain;

    private boolean closed;
    /** The connection is free for others. */
    private boolean givenBack;
    /** From here on the request may arrive. */
    private boolean sending;
    /** What whoever asked is told once time was up, whatever the closed socket makes of it. */
    private @Nullable HttpTimeoutException expired;

    SocketExchange(SocketHttpClient client, HttpRequest request, BodyHandler<T> handler) {
        this.client = client;
        this.request = request;
        this.handler = handler;
        long now = System.nanoTime();
        this.deadline = request.timeout().map(timeout -> now + timeout.toNanos());
        long connected = now + client.connectWithin().toNanos();
        this.connectDeadline = deadline.isPresent() && deadline.get() - connected < 0 ? deadline.get() : connected;
    }

    CompletableFuture<HttpResponse<T>> response() {
        return response;
    }

    void run() {
        try {
            byte[] bytes = RequestBytes.of(request, client.kept().isPresent());
            KeptConnections.Connection connection = connection();
            try {
                begin();
                ask(connection, bytes);
            } finally {
                if (isOurs()) {
                    SocketConnect.closeQuietly(connection.socket());
                }
            }
        } catch (IOException e) {
            response.completeExceptionally(inTime(e));
        } catch (RuntimeException | Error e) { // or whoever asked would wait for ever
            response.completeExceptionally(e);
        }
    }

    /** What is written after this may arrive; what ended before it never does. */
    private synchronized void begin() throws IOException {
        if (closed) {
            throw new ConnectException("closed");
        }
        sending = true;
    }

    private KeptConnections.Connection connection() throws IOException {
        Optional<KeptConnections.Connection> kept = client.kept().flatMap(all -> all.take(origin()));
        if (kept.isPresent()) {
            kept(kept.get().plain());
            return kept.get();
        }
        Socket connected = connected();
        Socket below = plain();
        return new KeptConnections.Connection(origin(), below == null ? connected : below, connected);
    }

    private synchronized @Nullable Socket plain() {
        return plain;
    }

    /** Not yet somebody else's. */
    private synchronized boolean isOurs() {
        return !givenBack;
    }

    /** Before whoever asked is told: the next request may come at once. */
    private void giveBack(KeptConnections.Connection connection, SocketAnswer answer) throws IOException {
        Optional<KeptConnections> keeping = client.kept();
        if (keeping.isEmpty() || !answer.leavesConnection()) {
            return;
        }
        synchronized (this) {
            if (closed) {
                return; // whoever ended it is about to close the socket
            }
            givenBack = true;
            plain = null;
        }
        keeping.get().give(connection);
    }

    private String origin() {
        return request.uri().getScheme() + "://" + request.uri().getHost() + ":" + SocketConnect.port(request.uri());
    }

    private void ask(KeptConnections.Connection connection, byte[] bytes) throws IOException {
        try {
            try {
                OutputStream out = connection.socket().getOutputStream();
                out.write(bytes);
                out.flush();
            } catch (IOException unsent) {
                readEarly(connection, unsent);
                return;
            }
            read(answer(connection.socket()), connection, true);
        } catch (IOException e) {
            throw afterSending(e);
        }
    }

    /** A server may refuse a request before it has read all of it, and close. */
    private void readEarly(KeptConnections.Connection connection, IOException unsent) throws IOException {
        SocketAnswer answer;
        try {
            answer = answer(connection.socket());
        } catch (IOException none) {
            if (refusesOurCertificate(none)) {
                throw none;
            }
            unsent.addSuppressed(none);
            throw unsent;
        }
        read(answer, connection, false);
    }

    /** From any thread: whoever reads or writes fails. */
    void close() {
        cut();
        response.completeExceptionally(mayHaveArrived() ? new IOException("closed") : new ConnectException("closed"));
    }

    private synchronized boolean mayHaveArrived() {
        return sending;
    }

    /** From any thread, without waiting for another. */
    private void cut() {
        Socket open;
        synchronized (this) {
            closed = true;
            open = plain;
        }
        SocketConnect.closeQuietly(open);
    }

    // ---- the end of its time

    /** When it must be connected, or else answered; empty if it may take for ever, or has ended. */
    synchronized Optional<Long> nextDeadline() {
        return closed || givenBack ? Optional.empty() : sending ? deadline : Optional.of(connectDeadline);
    }

    /** Whether its time is up, which then is the end of it; {@link #tellExpired} is next. */
    synchronized boolean expires(long now) {
        Optional<Long> end = nextDeadline();
        if (end.isEmpty() || end.get() - now > 0) {
            return false;
        }
        expired = sending
                ? new HttpTimeoutException(TIMED_OUT)
                : new HttpConnectTimeoutException(SocketConnect.TIMED_OUT);
        closed = true;
        return true;
    }

    /** Wakes its thread, unless that still waits for an address, and tells whoever asked. */
    void tellExpired() {
        cut();
        response.completeExceptionally(inTime(new IOException("closed")));
    }

    private synchronized IOException inTime(IOException failure) {
        return expired == null ? failure : expired;
    }

    // ---- what a failure means

    /** No failure of TLS: that would say that nothing was sent. */
    private IOException afterSending(IOException failure) {
        if (failure instanceof SocketTimeoutException) {
            return inTime(new HttpTimeoutException(TIMED_OUT));
        }
        if (failure instanceof SSLException && !refusesOurCertificate(failure)) {
            return inTime(new IOException("the secured connection broke: " + failure.getMessage(), failure));
        }
        return inTime(failure);
    }

    /** With TLS 1.3 a server says so only after our side of the handshake; it has not looked at the request then. */
    private static boolean refusesOurCertificate(IOException failure) {
        return failure instanceof SSLHandshakeException
                && OUR_CERTIFICATE.matcher(String.valueOf(failure.getMessage())).matches();
    }

    /** Nothing was sent yet. What is wrong with a certificate is told as it is. */
    private IOException beforeSending(IOException failure) {
        if (failure instanceof SocketTimeoutException) {
            return inTime(new HttpConnectTimeoutException(SocketConnect.TIMED_OUT));
        }
        if (failure instanceof SSLHandshakeException || failure instanceof SSLPeerUnverifiedException) {
            return inTime(failure);
        }
        IOException unsecured = failure instanceof SSLException
                ? new SSLHandshakeException(failure.getMessage())
                : new ConnectException("the connection was closed before it was secured");
        unsecured.initCause(failure);
        return inTime(unsecured);
    }

    // ---- the connection

    private Socket connected() throws IOException {
        SocketConnect connect = new SocketConnect(client, request.uri(), connectDeadline);
        Socket connection = connect.plain(this::kept);
        if (!request.uri().getScheme().equalsIgnoreCase("https")) {
            return connection;
        }
        try {
            return connect.secured(connection);
        } catch (IOException e) {
            SocketConnect.closeQuietly(connection);
            throw beforeSending(e);
        } catch (RuntimeException e) {
            SocketConnect.closeQuietly(connection);
            throw e;
        }
    }

    private synchronized Socket kept(Socket opened) throws IOException {
        plain = opened;
        if (closed) {
            SocketConnect.closeQuietly(opened);
            throw new ConnectException("closed");
        }
        return opened;
    }

    // ---- what comes back

    private SocketAnswer answer(Socket connection) throws IOException {
        return SocketAnswer.read(new TimedInput(connection), request.method());
    }

    private void read(SocketAnswer answer, KeptConnections.Connection connection, boolean wasSent) {
        BodySubscriber<T> subscriber = handler.apply(answer);
        subscriber.getBody().whenComplete((body, failure) -> {
            if (failure == null) {
                response.complete(answered(answer, body));
            } else {
                response.completeExceptionally(failure);
            }
        });
        BodyDemand demand = new BodyDemand(this::cut);
        subscriber.onSubscribe(demand);
        try {
            byte[] part = new byte[PART];
            while (demand.awaited()) {
                int length = answer.body().read(part);
                if (length < 0) {
                    if (wasSent) {
                        giveBack(connection, answer);
                    }
                    subscriber.onComplete();
                    return;
                }
                subscriber.onNext(
                        List.of(ByteBuffer.wrap(Arrays.copyOf(part, length)).asReadOnlyBuffer()));
            }
        } catch (IOException e) {
            subscriber.onError(afterSending(e));
        }
        // Cancelled by whoever reads it: there will be no more, and whoever waits for the end is told.
        response.completeExceptionally(new IOException("closed"));
    }

    private HttpResponse<T> answered(SocketAnswer answer, T body) {
        return new SocketResponse<>(answer.statusCode(), request, answer.headers(), body);
    }

    /** Reads no longer than the request may take. */
    private final class TimedInput extends SocketAnswer.BlockInput {
        private final Socket connection;
        private final InputStream in;

        TimedInput(Socket connection) throws IOException {
            this.connection = connection;
            this.in = connection.getInputStream();
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            connection.setSoTimeout(deadline.isPresent() ? SocketConnect.millisUntil(deadline.get()) : 0);
            return in.read(bytes, offset, length);
        }
    }

    /** The answer as the JDK's client would give it. */
    private record SocketResponse<T>(int statusCode, HttpRequest request, HttpHeaders headers, T body)
            implements HttpResponse<T> {
        @Override
        public Optional<HttpResponse<T>> previousResponse() {
            return Optional.empty();
        }

        @Override
        public Optional<javax.net.ssl.SSLSession> sslSession() {
            return Optional.empty();
        }

        @Override
        public URI uri() {
            return request.uri();
        }

        @Override
        public Version version() {
            return Version.HTTP_1_1;
        }
    }
}
