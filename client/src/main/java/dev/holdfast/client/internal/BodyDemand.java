package dev.holdfast.client.internal;

import java.io.IOException;
import java.util.concurrent.Flow;

/** How many parts are wanted: who is slow slows the server, and fills no memory here. */
final class BodyDemand implements Flow.Subscription {
    private final Runnable end;
    private long wanted;
    private boolean cancelled;

    BodyDemand(Runnable end) {
        this.end = end;
    }

    @Override
    public synchronized void request(long parts) {
        wanted = parts > Long.MAX_VALUE - wanted ? Long.MAX_VALUE : wanted + parts;
        notifyAll();
    }

    @Override
    public void cancel() {
        synchronized (this) {
            cancelled = true;
            notifyAll();
        }
        end.run();
    }

    /** Waits until a part is wanted; false if none is any more. */
    synchronized boolean awaited() throws IOException {
        try {
            while (wanted == 0 && !cancelled) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
        if (wanted != Long.MAX_VALUE) {
            wanted--;
        }
        return !cancelled;
    }
}
