package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Problem;
import dev.holdfast.server.http.Reply;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/** What the headers of a request, and its connection, say about it. */
record RequestHeaders(HttpServerRequest request) {
    /** As much of a Content-Type as is told back. */
    private static final int MAX_TYPE = 100;

    /** What shows who asks. */
    Optional<String> authorization() {
        List<String> all = request.headers().getAll(HttpHeaderNames.AUTHORIZATION);
        if (all.size() > 1) {
            throw Problem.invalid("the header Authorization is given more than once");
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(0));
    }

    /** What the client has shown when it connected, its own certificate first. */
    List<X509Certificate> certificates() {
        try {
            return request.connection().isSsl()
                    ? request.connection().peerCertificates().stream()
                            .filter(X509Certificate.class::isInstance)
                            .map(X509Certificate.class::cast)
                            .toList()
                    : List.of();
        } catch (SSLPeerUnverifiedException e) {
            return List.of(); // it has shown none
        }
    }

    /** A browser sends anything but JSON without asking first, so JSON must be said. */
    void checkJson(Buffer whole) {
        String type = request.getHeader(HttpHeaderNames.CONTENT_TYPE);
        if (whole.length() > 0 && !isJson(type)) {
            throw Problem.refusal(
                    415,
                    "unsupported-media-type",
                    "Content-Type must be application/json in UTF-8, was "
                            + (type == null ? "not given" : "'" + shortened(type) + "'"));
        }
    }

    private static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        String lower = type.toLowerCase(Locale.ROOT).replace(" ", "").replace("\"", "");
        String media = lower.split(";", 2)[0];
        boolean utf8 = !lower.contains("charset=") || lower.contains("charset=utf-8");
        return utf8 && (media.equals(Reply.JSON) || (media.startsWith("application/") && media.endsWith("+json")));
    }

    private static String shortened(String type) {
        return type.length() > MAX_TYPE ? type.substring(0, MAX_TYPE) + "…" : type;
    }

    /** Whether more of the body must come. A request without a body is answered before its end was told, but nothing more of it comes. */
    boolean oweBody() {
        String length = request.getHeader(HttpHeaderNames.CONTENT_LENGTH);
        boolean announced =
                length == null ? request.headers().contains(HttpHeaderNames.TRANSFER_ENCODING) : !length.equals("0");
        return announced && !request.isEnded();
    }
}
