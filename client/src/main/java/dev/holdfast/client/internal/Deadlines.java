package dev.holdfast.client.internal;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Ends requests whose time is up, wherever their threads wait: one thread for all of them, which ends when none is left. Not a
 * scheduled executor, which takes a few milliseconds to load: most processes with a request here make one and end. Safe for any
 * thread.
 */
final class Deadlines {
    private final Set<SocketExchange<?>> open;
    private boolean watched;
    private boolean closed;
    /** When the thread looks next, if there is one. */
    private long nextLook;

    /** Of those that are in this set, which others fill and empty. */
    Deadlines(Set<SocketExchange<?>> open) {
        this.open = open;
    }

    /** This one is in the set now. */
    synchronized void watch(SocketExchange<?> exchange) {
        Optional<Long> deadline = exchange.nextDeadline();
        if (!watched && !closed) {
            watched = true;
            SocketHttpClient.thread(this::run, "holdfast-http-deadlines").start();
        } else if (deadline.isPresent() && deadline.get() - nextLook < 0) {
            notifyAll();
        }
    }

    /** All requests have been ended: nothing is watched any more. */
    synchronized void close() {
        closed = true;
        notifyAll();
    }

    private synchronized void run() {
        try {
            while (!open.isEmpty() && !closed) {
                long now = System.nanoTime();
                nextLook = now + TimeUnit.MINUTES.toNanos(1); // a request without a deadline may end
                for (SocketExchange<?> exchange : open) {
                    if (exchange.expires(now)) {
                        // Not from here: whoever is told may take a while.
                        SocketHttpClient.thread(exchange::tellExpired, SocketHttpClient.THREAD)
                                .start();
                    } else {
                        lookBy(exchange);
                    }
                }
                // A millisecond more: too early a look would be one more.
                wait(Math.max(1, TimeUnit.NANOSECONDS.toMillis(nextLook - now) + 1));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // nobody does
        } finally {
            watched = false;
        }
    }

    private void lookBy(SocketExchange<?> exchange) {
        Optional<Long> deadline = exchange.nextDeadline();
        if (deadline.isPresent() && deadline.get() - nextLook < 0) {
            nextLook = deadline.get();
        }
    }
}
