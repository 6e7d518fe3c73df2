package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LockEvent;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The spans of holds that have not ended. At most {@value #MAX}: after that the oldest is ended with an unknown outcome, so that
 * holds whose end is never told cannot fill the memory.
 */
public final class OpenHolds implements AutoCloseable {
    static final int MAX = 10_000;

    private final Map<Long, OtlpSpan> open = new LinkedHashMap<>();

    /** A hold began; a re-acquire of the same lease keeps the first span. */
    synchronized void began(long lease, OtlpSpan span) {
        if (open.putIfAbsent(lease, span) == null && open.size() > MAX) {
            Iterator<OtlpSpan> oldest = open.values().iterator();
            oldest.next().end("unknown", false);
            oldest.remove();
        }
    }

    /** A hold ended, perhaps one of another process. */
    synchronized void ended(LockEvent event, boolean failed) {
        OtlpSpan span = open.remove(event.lease());
        if (span != null) {
            span.endAfter(event.lasted(), event.type().name().toLowerCase(Locale.ROOT), failed);
        }
    }

    synchronized int size() {
        return open.size();
    }

    /** The server ends; the holds do not. */
    @Override
    public synchronized void close() {
        open.values().forEach(span -> span.end("unknown", false));
        open.clear();
    }
}
