package dev.holdfast.client;

import dev.holdfast.client.internal.SocketHttpClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What carries requests to servers: a small client of our own, or the JDK's where proxies are asked for or very many requests wait. */
public final class ServerHttp {
    /** Whoever set one of these wants requests to go another way than the small client knows. */
    private static final List<String> PROXIES =
            List.of("http.proxyHost", "https.proxyHost", "java.net.useSystemProxies");

    /** How the JDK begins to say, in two ways, that a server speaks something else; that is no failure of the handshake to it. */
    private static final String NOT_TLS = "nrecognized SSL message";

    private final boolean forEachRequest;
    private final boolean proxied;
    private final boolean secured;
    private final Optional<SSLContext> trust;
    private final Duration connectTimeout;

    /**
     * For these servers, as their configuration says.
     *
     * @throws IllegalArgumentException if a file with certificates or a key cannot be used, naming it
     */
    public ServerHttp(ServerConfig config, Duration connectTimeout) {
        this.forEachRequest = config.connectsForEachRequest();
        this.proxied = PROXIES.stream().anyMatch(name -> System.getProperty(name) != null);
        this.secured =
                config.servers().stream().anyMatch(server -> server.getScheme().equalsIgnoreCase("https"));
        this.trust = secured ? TlsTrust.of(config) : Optional.empty();
        this.connectTimeout = connectTimeout;
    }

    /** A new one, which speaks this version where the server does. */
    public HttpClient client(HttpClient.Version version) {
        if (forEachRequest && !proxied) {
            return new SocketHttpClient(connectTimeout, trust);
        }
        HttpClient.Builder builder =
                HttpClient.newBuilder().connectTimeout(connectTimeout).version(version);
        if (secured) {
            trust.ifPresent(builder::sslContext);
        } else {
            builder.sslContext(TlsTrust.nobody()); // or the JDK reads its certificates for nothing: a tenth of a second
        }
        return builder.build();
    }

    /** A new one that has a connection for each request, unless a proxy is asked for. */
    HttpClient once() {
        return proxied ? client(HttpClient.Version.HTTP_1_1) : new SocketHttpClient(connectTimeout, trust);
    }

    /** A new one that keeps its connections and has room for some requests at once; empty if they have to go another way. */
    Optional<SocketHttpClient> keeping() {
        return forEachRequest || proxied
                ? Optional.empty()
                : Optional.of(SocketHttpClient.keeping(connectTimeout, trust));
    }

    /** Whether a request that failed with this cannot have been carried out: there never was a connection to send it over. */
    public static boolean sentNothing(@Nullable Throwable failure) {
        return failure instanceof ConnectException
                || failure instanceof HttpConnectTimeoutException
                || isUnsafe(failure);
    }

    /**
     * Whether one side did not accept the other when the connection was to be secured. Later failures of TLS are none of these:
     * what was sent before them may have been carried out.
     */
    static boolean isUnsafe(@Nullable Throwable failure) {
        return failure instanceof SSLHandshakeException
                || failure instanceof SSLPeerUnverifiedException
                || (failure instanceof SSLException
                        && String.valueOf(failure.getMessage()).contains(NOT_TLS));
    }

    /** Why there is no connection, in a few words. */
    public static String why(ConnectException failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException) {
                return "no such host";
            }
        }
        Throwable cause = failure.getCause();
        boolean other = cause instanceof IOException && !(cause instanceof ConnectException);
        String message = failure.getMessage();
        return other && message != null ? message : "connection refused";
    }

    /** Ends what it has under way, if it is the small one; the JDK's ends when nobody knows it any more. */
    static void close(HttpClient client) {
        if (client instanceof SocketHttpClient sockets) {
            sockets.close();
        }
    }
}
