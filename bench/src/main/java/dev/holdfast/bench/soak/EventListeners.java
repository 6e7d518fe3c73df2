package dev.holdfast.bench.soak;

import dev.holdfast.internal.parts.DaemonThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that follow the events, and come back where they were: each hangs up now and then, since what is forgotten then would add up. */
final class EventListeners implements AutoCloseable {
    private static final Duration CONNECTED = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final SoakTarget target;
    private final AtomicLong heard = new AtomicLong();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean closed;

    EventListeners(SoakTarget target, int count, long from) {
        this.target = target;
        for (int i = 0; i < count; i++) {
            threads.add(DaemonThreads.start("soak-events-" + i, () -> follow(from)));
        }
    }

    long heard() {
        return heard.get();
    }

    private void follow(long from) {
        long last = from;
        while (!closed) {
            try (InputStream stream = target.events(last)) {
                last = read(stream, last);
            } catch (IOException e) {
                if (!closed) {
                    target.failed("a stream of events ended: " + e);
                    pause();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** Reads for a while; returns the number of the last event. */
    private long read(InputStream stream, long from) throws IOException {
        long last = from;
        long end = System.nanoTime() + CONNECTED.toNanos();
        BufferedReader lines = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
        while (!closed && System.nanoTime() - end < 0) {
            String line = lines.readLine();
            if (line == null) {
                return last;
            }
            if (line.startsWith("id: ")) {
                long number = Long.parseLong(line.substring(4).trim());
                if (number <= last) {
                    target.failed("event " + number + " came after " + last);
                }
                last = number;
                heard.incrementAndGet();
            }
        }
        return last;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
    }
}
