package dev.holdfast.server.http;

import dev.holdfast.server.auth.Loopback;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Keeps pages of other sites, in the browser of somebody who can reach the server, from using it. */
final class Origins {
    private Origins() {}

    static void check(HttpServerRequest request, boolean loopbackOnly) {
        String origin = request.getHeader(HttpHeaderNames.ORIGIN);
        String host = host(request);
        boolean changes = !request.method().equals(HttpMethod.GET);
        if (changes && origin != null && !isSame(origin, host)) {
            throw Problem.of(403, "foreign-origin", "A page of another site may not call this server")
                    .refused();
        }
        if (loopbackOnly && host != null && !Loopback.isLoopbackAuthority(host)) {
            throw Problem.of(
                            421,
                            "wrong-host",
                            "This server runs without authentication and answers only as localhost, under no other name")
                    .refused();
        }
    }

    /** HTTP/2 says it without a header. */
    private static @Nullable String host(HttpServerRequest request) {
        String host = request.getHeader(HttpHeaderNames.HOST);
        HostAndPort asked = host == null ? request.authority() : null;
        if (asked == null) {
            return host;
        }
        return asked.port() < 0 ? asked.host() : asked.host() + ":" + asked.port();
    }

    private static boolean isSame(String origin, @Nullable String host) {
        try {
            return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
