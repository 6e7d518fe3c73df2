package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Problem;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps pages of other sites, in the browser of somebody who can reach the server, from using it. */
final class CrossSiteCheck {
    private CrossSiteCheck() {}

    record Objection(AccessRefusal why, Problem problem) {}

    /** Why this must not be answered; empty if it may. */
    static Optional<Objection> objection(HttpServerRequest request, Hosts hosts) {
        List<String> said = request.headers().getAll(HttpHeaderNames.HOST);
        if (said.size() > 1) {
            throw Problem.invalid("the header Host is given more than once");
        }
        String origin = request.getHeader(HttpHeaderNames.ORIGIN);
        String host = host(request);
        boolean changes = !request.method().equals(HttpMethod.GET);
        if (changes && origin != null && !isSame(origin, host)) {
            return Optional.of(new Objection(
                    AccessRefusal.ORIGIN,
                    Problem.of(403, "foreign-origin", "A page of another site may not call this server")));
        }
        boolean known = (host == null || hosts.contains(host))
                && inRequestLine(request.uri()).map(hosts::contains).orElse(true);
        return known
                ? Optional.empty()
                : Optional.of(new Objection(
                        AccessRefusal.HOST,
                        Problem.of(
                                421,
                                "wrong-host",
                                "This server runs without authentication, and answers only as localhost, by its IP address or by"
                                        + " a name in server.allowed-hosts. Add the name there, such as"
                                        + " server.allowed-hosts=holdfast,*.example.com, or set up authentication")));
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

    /** A proxy's way to ask, {@code GET http://host/path}: then that host is meant, whatever the header says. */
    private static Optional<String> inRequestLine(@Nullable String uri) {
        String target = String.valueOf(uri);
        int scheme = target.indexOf("://");
        if (scheme < 0 || target.startsWith("/") || !isWeb(target.substring(0, scheme))) {
            return Optional.empty();
        }
        String rest = target.substring(scheme + 3);
        return Optional.of(rest.split("[/?#]", 2)[0]);
    }

    private static boolean isWeb(String scheme) {
        String lower = scheme.toLowerCase(Locale.ROOT);
        return lower.equals("http") || lower.equals("https");
    }

    private static boolean isSame(String origin, @Nullable String host) {
        try {
            return host != null && host.equalsIgnoreCase(URI.create(origin).getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
