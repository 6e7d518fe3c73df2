package dev.holdfast.client.internal;

import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.parts.DaemonThreads;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * HTTP/1.1 with a thread for each request under way. A process that asks a few times and ends has a connection for each too; one that goes on asking
 * keeps them. The JDK's own client takes a fifth of a second of work to load, its thread in the selector keeps the JVM from ending for 0.3 s more, and
 * it takes several times the work for a request, in a young process ten times. What is asked for here and what comes back are the JDK's types, so
 * nothing else knows which of the two is used. No redirects, no cookies, no proxies, no HTTP/2. Safe for any thread.
 */
public final class SocketHttpClient extends HttpClient implements AutoCloseable {
    /** Each has a thread: who asks for more at once asks in another way. */
    static final int MOST_UNDER_WAY = 256;

    private static final int IDLE_THREAD_SECONDS = 20;
    static final String THREAD = "holdfast-http";

    private final Duration connectTimeout;
    private final Optional<SSLContext> trust;
    private final AddressLookup lookup;
    private final Optional<KeptConnections> kept;
    private final Executor threads;
    private final Set<SocketExchange<?>> open = ConcurrentHashMap.newKeySet();
    private final Deadlines deadlines = new Deadlines(open);
    private volatile boolean closed;

    private SocketHttpClient(
            Duration connectTimeout,
            Optional<SSLContext> trust,
            AddressLookup lookup,
            Optional<KeptConnections> kept,
            Executor threads) {
        this.connectTimeout = connectTimeout;
        this.trust = trust;
        this.lookup = lookup;
        this.kept = kept;
        this.threads = threads;
    }

    /** With a connection and a thread for each request; trusting these, or whom the JDK trusts. */
    public SocketHttpClient(Duration connectTimeout, Optional<SSLContext> trust) {
        this(connectTimeout, trust, InetAddress::getAllByName);
    }

    /** Finding hosts in this way. */
    SocketHttpClient(Duration connectTimeout, Optional<SSLContext> trust, AddressLookup lookup) {
        this(
                connectTimeout,
                trust,
                lookup,
                Optional.empty(),
                task -> thread(task, THREAD).start());
    }

    /** One that keeps connections and threads for the next request. */
    public static SocketHttpClient keeping(Duration connectTimeout, Optional<SSLContext> trust) {
        return new SocketHttpClient(
                connectTimeout,
                trust,
                InetAddress::getAllByName,
                Optional.of(new KeptConnections()),
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE,
                        IDLE_THREAD_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        task -> thread(task, THREAD)));
    }

    /** Not yet started. It outlives the call that it is made in, so it does not hold on to the class loader of the caller. */
    static Thread thread(Runnable task, String name) {
        Thread thread = DaemonThreads.make(name, task);
        thread.setContextClassLoader(SocketHttpClient.class.getClassLoader());
        return thread;
    }

    /** How the addresses of a host are found: at least one. */
    interface AddressLookup {
        InetAddress[] of(String host) throws UnknownHostException;
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        SocketExchange<T> exchange = new SocketExchange<>(this, request, handler);
        CompletableFuture<HttpResponse<T>> response = exchange.response();
        open.add(exchange);
        // Also when whoever asked cancels it: a closed socket wakes the thread that reads from it.
        Stages.then(response, (answer, failure) -> {
            if (failure instanceof CancellationException) {
                exchange.close();
            }
        });
        if (closed) {
            exchange.close();
        }
        try {
            threads.execute(() -> {
                exchange.run();
                open.remove(exchange);
            });
        } catch (RejectedExecutionException e) { // closed just now
            exchange.close();
            open.remove(exchange);
        }
        deadlines.watch(exchange);
        return response;
    }

    /** Whether there is room for one more; not exact while others ask. */
    public boolean hasRoom() {
        return open.size() < MOST_UNDER_WAY;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<T>> response = sendAsync(request, handler);
        try {
            return response.get();
        } catch (InterruptedException e) {
            response.cancel(true);
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        }
    }

    /** Nothing is ever pushed by HTTP/1.1. */
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> ignored) {
        return sendAsync(request, handler);
    }

    /** Ends what is still under way: a thread that stays in a read keeps the JVM from ending. No thread of its own is left after that. */
    @Override
    public void close() {
        closed = true;
        open.forEach(SocketExchange::close);
        kept.ifPresent(KeptConnections::close);
        if (threads instanceof ExecutorService pool) {
            pool.shutdown();
        }
        deadlines.close();
    }

    // ---- as it is set up

    /** Where connections are kept for the next request; empty if each has its own. */
    Optional<KeptConnections> kept() {
        return kept;
    }

    Duration connectWithin() {
        return connectTimeout;
    }

    InetAddress[] addresses(String host) throws UnknownHostException {
        return lookup.of(host);
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return Optional.of(connectTimeout);
    }

    /** Asked for only when a server speaks TLS: to read the JDK's certificates takes a while. */
    @Override
    public SSLContext sslContext() {
        try {
            return trust.isPresent() ? trust.get() : SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    @Override
    public SSLParameters sslParameters() {
        SSLParameters parameters = new SSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS"); // or any certificate would do for any name
        return parameters;
    }

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    @Override
    public Redirect followRedirects() {
        return Redirect.NEVER;
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return Optional.empty();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return Optional.empty();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return Optional.empty();
    }

    @Override
    public Optional<Executor> executor() {
        return Optional.empty();
    }
}
