package dev.holdfast.server.http.edge;

import dev.holdfast.server.auth.RateLimit;
import dev.holdfast.server.http.Shares;
import dev.holdfast.server.observe.metrics.Meters;
import dev.holdfast.server.observe.metrics.Rejection;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one event loop: not more than allowed in all and from one address, and none that sends its first request, or the rest of
 * any, too slowly. Belongs to its event loop.
 */
final class EdgeConnections {
    private static final long LOOK_EVERY_MILLIS = 500;
    /** The error code of HTTP/2 for a stream that is not wanted any more. */
    private static final long HTTP2_CANCEL = 8;

    private final Limits limits;
    private final Meters meters;
    private final RemoteAddresses addresses;
    private final Shares shares;
    private final AtomicInteger open;
    /** Who owes us the rest of something, by connection (a first head) or by request (a body): oldest first. */
    private final Map<Object, Deadline> slow = new LinkedHashMap<>();
    /** Requests that have not been answered, or have not come to their end; on HTTP/2 many at a time. */
    private final Map<HttpConnection, OpenRequests> under = new HashMap<>();

    /** What is owed since when, and how to cut off who owes it. */
    private record Deadline(long since, Runnable cut) {}

    /** What is under way on one connection. */
    private static final class OpenRequests {
        private final Set<HttpServerRequest> unanswered = new HashSet<>();
        private final Set<HttpServerRequest> incomplete = new HashSet<>();

        boolean areNone() {
            return unanswered.isEmpty() && incomplete.isEmpty();
        }
    }

    EdgeConnections(Vertx vertx, HttpEdge edge, AtomicInteger open) {
        this.limits = edge.parts().limits();
        this.meters = edge.parts().meters();
        this.addresses = edge.parts().addresses();
        this.shares = edge.connections();
        this.open = open;
        vertx.setPeriodic(LOOK_EVERY_MILLIS, timer -> cutSlow());
    }

    void opened(HttpConnection connection) {
        String from = share(connection);
        if (open.incrementAndGet() > limits.connections() || !shares.take(from)) {
            open.decrementAndGet();
            meters.rejected(Rejection.CONNECTIONS);
            connection.close();
            return;
        }
        KnownVersions.checkedOn(connection);
        ByteArrivalHandler.on(connection, () -> arrived(connection));
        under.put(connection, new OpenRequests());
        expectMore(connection, connection::close);
        connection.closeHandler(closed -> {
            open.decrementAndGet();
            shares.giveBack(from);
            slow.remove(connection);
            OpenRequests left = under.remove(connection);
            if (left != null) {
                left.incomplete.forEach(slow::remove);
            }
        });
    }

    /** Whose share it is part of; nobody's if many clients are behind one address. */
    private String share(HttpConnection connection) {
        String address = RemoteAddresses.address(connection.remoteAddress());
        return addresses.isShared(address) ? "" : RateLimit.network(address);
    }

    /** A request has begun; on HTTP/1 whatever else arrives belongs to it, or can wait until it was answered. */
    void began(HttpServerRequest request) {
        OpenRequests here = under.get(request.connection());
        if (here == null) {
            return; // closed already
        }
        here.unanswered.add(request);
        here.incomplete.add(request);
        slow.remove(request.connection());
        expectMore(request, () -> cut(request));
    }

    void answered(HttpServerRequest request) {
        OpenRequests here = under.get(request.connection());
        if (here != null) {
            here.unanswered.remove(request);
        }
    }

    /** A good part of a large body has come; for the next there is as much time again. */
    void goesOn(HttpServerRequest request) {
        if (slow.containsKey(request)) {
            expectMore(request, () -> cut(request));
        }
    }

    /** All of it has come, or no more will. */
    void complete(HttpServerRequest request) {
        slow.remove(request);
        OpenRequests here = under.get(request.connection());
        if (here != null) {
            here.incomplete.remove(request);
        }
    }

    /** The next request has begun to arrive: from now on its head may take as long as any request. */
    private void arrived(HttpConnection connection) {
        OpenRequests here = under.get(connection);
        if (here != null && here.areNone()) {
            slow.putIfAbsent(connection, new Deadline(System.nanoTime(), connection::close));
        }
    }

    private void expectMore(Object who, Runnable cut) {
        slow.remove(who); // to stand last again: the order is by time
        slow.put(who, new Deadline(System.nanoTime(), cut));
    }

    /** On HTTP/2 the other requests of the connection go on. */
    private static void cut(HttpServerRequest request) {
        if (request.version() == HttpVersion.HTTP_2) {
            request.response().reset(HTTP2_CANCEL);
        } else {
            request.connection().close();
        }
    }

    private void cutSlow() {
        long now = System.nanoTime();
        List<Deadline> late = new ArrayList<>(); // cutting changes the map
        Iterator<Deadline> oldest = slow.values().iterator();
        while (oldest.hasNext()) {
            Deadline next = oldest.next();
            if (now - next.since() < limits.slow().toNanos()) {
                break;
            }
            oldest.remove();
            late.add(next);
        }
        for (Deadline owed : late) {
            meters.rejected(Rejection.SLOW);
            owed.cut().run();
        }
    }
}
