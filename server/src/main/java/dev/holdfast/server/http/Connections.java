package dev.holdfast.server.http;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The connections of one event loop: not more than allowed in all, and none that sends its first request, or the rest of
 * any, too slowly. Belongs to its event loop.
 */
final class Connections {
    private static final long LOOK_EVERY_MILLIS = 500;

    private final Limits limits;
    private final EdgeWatch watch;
    private final AtomicInteger open;
    /** Who owes us the rest of something, since when: oldest first. */
    private final Map<HttpConnection, Long> slow = new LinkedHashMap<>();
    /** Whose request has not been answered yet. */
    private final Set<HttpConnection> busy = new HashSet<>();

    Connections(Vertx vertx, HttpEdge.Parts parts, AtomicInteger open) {
        this.limits = parts.limits();
        this.watch = parts.watch();
        this.open = open;
        vertx.setPeriodic(LOOK_EVERY_MILLIS, timer -> cutSlow());
    }

    void opened(HttpConnection connection) {
        if (open.incrementAndGet() > limits.connections()) {
            open.decrementAndGet();
            watch.tooManyConnections();
            connection.close();
            return;
        }
        KnownVersions.checkedOn(connection);
        Arrivals.on(connection, () -> arrived(connection));
        expectMore(connection);
        connection.closeHandler(closed -> {
            open.decrementAndGet();
            slow.remove(connection);
            busy.remove(connection);
        });
    }

    /** A request has begun; whatever else arrives belongs to it, or can wait until it was answered. */
    void began(HttpConnection connection) {
        busy.add(connection);
        expectMore(connection);
    }

    void answered(HttpConnection connection) {
        busy.remove(connection);
    }

    /** The next request has begun to arrive: from now on its head may take as long as any request. */
    private void arrived(HttpConnection connection) {
        if (!busy.contains(connection)) {
            slow.putIfAbsent(connection, System.nanoTime());
        }
    }

    private void expectMore(HttpConnection connection) {
        slow.remove(connection); // to stand last again: the order is by time
        slow.put(connection, System.nanoTime());
    }

    void complete(HttpConnection connection) {
        slow.remove(connection);
    }

    private void cutSlow() {
        long now = System.nanoTime();
        Iterator<Map.Entry<HttpConnection, Long>> oldest = slow.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<HttpConnection, Long> next = oldest.next();
            if (now - next.getValue() < limits.slow().toNanos()) {
                return;
            }
            oldest.remove();
            watch.tooSlow();
            next.getKey().close();
        }
    }
}
