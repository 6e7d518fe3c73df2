package dev.holdfast.client;

import dev.holdfast.client.internal.SocketHttpClient;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.engine.machine.Machine;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Brings requests to the servers. The one that answered last is asked first; one that fails is followed by the next, until the
 * deadline of the request. Requests have connections that are kept for the next one, and a thread each while they are under way; when
 * very many are parked at the server, further ones go without a thread. Safe for any thread.
 */
final class ServerTransport implements AutoCloseable {
    /** Short requests under way at once; more wait here. Below what servers let through on one connection. */
    private static final int MAX_UNDER_WAY = 64;

    private static final int MAX_WAITING = 100_000;

    private final ServerConfig config;
    private final Machine machine;
    /** Empty where requests go another way: through a proxy, or each with a connection of its own. */
    private final Optional<SocketHttpClient> kept;

    private final Lazy once;
    private final Lazy quick;
    private final Lazy parked;
    private final AtomicInteger preferred = new AtomicInteger();
    private final Set<RequestAttempts> open = ConcurrentHashMap.newKeySet();
    private final Deque<RequestAttempts> waiting = new ArrayDeque<>();
    private int underWay;
    private volatile boolean closed;

    ServerTransport(ServerConfig config, Machine machine, Duration connectWithin) {
        this.config = config;
        this.machine = machine;
        ServerHttp http = new ServerHttp(config, connectWithin);
        this.kept = http.keeping();
        this.once = new Lazy(http::once);
        this.quick = new Lazy(() -> http.client(HttpClient.Version.HTTP_2));
        this.parked = new Lazy(() -> http.client(HttpClient.Version.HTTP_1_1));
    }

    /** Made when first needed: a short command needs only one of them, and each has a thread. */
    private static final class Lazy {
        private final Supplier<HttpClient> made;
        private @Nullable HttpClient client;

        Lazy(Supplier<HttpClient> made) {
            this.made = made;
        }

        synchronized HttpClient get() {
            if (client == null) {
                client = made.get();
            }
            return client;
        }

        synchronized void close() {
            if (client != null) {
                ServerHttp.close(client);
            }
        }
    }

    /** The answer, or a {@link dev.holdfast.spi.StoreException}, or {@link IllegalArgumentException} for a request that was wrong. */
    CompletableFuture<ServerReply> send(ServerRequest request) {
        return begin(request).told;
    }

    /** The same, for whoever may stop waiting for it. */
    RequestAttempts begin(ServerRequest request) {
        RequestAttempts attempts = new RequestAttempts(this, request);
        open.add(attempts);
        boolean now;
        synchronized (waiting) {
            now = !request.takesTurn() || underWay < MAX_UNDER_WAY;
            if (now) {
                underWay += request.takesTurn() ? 1 : 0;
                attempts.hasTurn = request.takesTurn();
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(attempts);
            } else {
                attempts.fail(new dev.holdfast.spi.StoreUnavailableException(
                        "Too many requests of this client wait for " + servers().get(0) + " already", null));
            }
        }
        if (closed) {
            attempts.close();
        }
        if (now) {
            attempts.begin();
        }
        return attempts;
    }

    /** One is through: the next may go. */
    void ended(RequestAttempts attempts) {
        open.remove(attempts);
        RequestAttempts next;
        synchronized (waiting) {
            if (!attempts.hasTurn) {
                return; // it never had one, or has given it away
            }
            attempts.hasTurn = false;
            next = waiting.poll();
            if (next == null) {
                underWay--;
            } else {
                next.hasTurn = true;
            }
        }
        if (next != null) {
            machine.run(next::begin); // not from here: thousands may find that their time is up
        }
    }

    // ---- for those under way

    Machine machine() {
        return machine;
    }

    List<URI> servers() {
        return config.servers();
    }

    int preferred() {
        return preferred.get();
    }

    /** This one failed: the others ask the next. */
    void failed(int server) {
        preferred.compareAndSet(server, (server + 1) % servers().size());
    }

    HttpClient http(ServerRequest request) {
        if (request.kind() == ServerRequest.Kind.ONCE) {
            return once.get(); // what is lost on a connection that is just being closed cannot be sent again
        }
        if (kept.isPresent() && kept.get().hasRoom()) {
            return kept.get();
        }
        return (kept.isEmpty() && request.isShort() ? quick : parked).get();
    }

    HttpClient parked() {
        return parked.get();
    }

    HttpRequest.Builder request(URI server, String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server + path)).header("User-Agent", "holdfast-client");
        config.token().ifPresent(token -> request.header("Authorization", "Bearer " + token));
        return request;
    }

    // ---- end

    ClientClosedException closedException() {
        return new ClientClosedException("of " + servers().get(0));
    }

    boolean isClosed() {
        return closed;
    }

    /** Whoever still waits for an answer is told that there will be none; first connections end, since they know what was sent over them. */
    @Override
    public void close() {
        closed = true;
        kept.ifPresent(SocketHttpClient::close);
        once.close();
        quick.close();
        parked.close();
        open.forEach(RequestAttempts::close);
    }
}
