package dev.holdfast.client.internal;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Connections that wait for the next request to the same server. The one used last is used first, so that those of a busy hour run out.
 * One that its server has closed meanwhile is noticed before anything is sent over it. Safe for any thread.
 */
final class KeptConnections {
    /** Shorter than what servers and proxies usually allow: a request on a connection that is just being closed is lost. */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(20);
    /** As many as may wait at once; more are closed. */
    private static final int MOST = SocketHttpClient.MOST_UNDER_WAY;

    private final Deque<IdleConnection> idle = new ArrayDeque<>();
    private boolean swept;
    private boolean closed;

    /**
     * A connection that has carried at least one request.
     *
     * @param origin the scheme, host and port it was made for
     * @param plain below TLS
     * @param socket what is written to and read from; the same as {@code plain} without TLS
     */
    record Connection(String origin, Socket plain, Socket socket) {
        void close() {
            SocketConnect.closeQuietly(plain); // not the secured one, which may wait for whoever writes
        }

        /** Whether its server is silent, as it should be: else it has closed, or says what nobody asked for. */
        private boolean isQuiet() {
            SocketChannel channel = plain.getChannel();
            try {
                channel.configureBlocking(false);
                boolean quiet = channel.read(ByteBuffer.allocate(1)) == 0;
                channel.configureBlocking(true);
                return quiet;
            } catch (IOException gone) {
                return false;
            }
        }
    }

    private record IdleConnection(Connection connection, long since) {}

    /** One that can be used now, which is then the caller's. */
    Optional<Connection> take(String origin) {
        while (true) {
            Connection next = last(origin);
            if (next == null) {
                return Optional.empty();
            }
            if (next.isQuiet()) {
                return Optional.of(next);
            }
            next.close();
        }
    }

    private synchronized @Nullable Connection last(String origin) {
        long now = System.nanoTime();
        for (Iterator<IdleConnection> at = idle.iterator(); at.hasNext(); ) {
            IdleConnection kept = at.next();
            if (kept.connection().origin().equals(origin) && !isOver(kept, now)) {
                at.remove();
                return kept.connection();
            }
        }
        return null;
    }

    private static boolean isOver(IdleConnection kept, long now) {
        return now - kept.since() >= LONGEST_IDLE.toNanos();
    }

    /** This one is free again. */
    void give(Connection connection) {
        synchronized (this) {
            if (!closed && idle.size() < MOST) {
                idle.addFirst(new IdleConnection(connection, System.nanoTime()));
                sweep();
                return;
            }
        }
        connection.close();
    }

    /** One thread while there is one that waits. */
    private void sweep() {
        if (!swept) {
            swept = true;
            SocketHttpClient.thread(this::closeOver, "holdfast-http-idle").start();
        }
    }

    private synchronized void closeOver() {
        try {
            while (!idle.isEmpty()) {
                long now = System.nanoTime();
                while (!idle.isEmpty() && isOver(idle.getLast(), now)) {
                    idle.removeLast().connection().close();
                }
                if (!idle.isEmpty()) {
                    long left = idle.getLast().since() + LONGEST_IDLE.toNanos() - now;
                    wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left) + 1));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does
        } finally {
            swept = false;
        }
    }

    synchronized void close() {
        closed = true;
        idle.forEach(kept -> kept.connection().close());
        idle.clear();
        notifyAll();
    }
}
