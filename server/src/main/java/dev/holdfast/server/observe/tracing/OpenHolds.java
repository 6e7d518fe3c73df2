package dev.holdfast.server.observe.tracing;

import dev.holdfast.model.LockEvent;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spans of holds that have not ended. At most {@value #MAX}: after that the oldest is ended with an unknown outcome, so that
 * holds whose end is never told cannot fill the memory.
 */
public final class OpenHolds implements AutoCloseable {
    static final int MAX = 10_000;

    private final Map<Long, OtlpSpan> open = new LinkedHashMap<>();

    /** A hold began; a re-acquire of the same lease keeps the first span. */
    void began(long lease, OtlpSpan span) {
        OtlpSpan oldest = null;
        synchronized (this) {
            if (open.putIfAbsent(lease, span) == null && open.size() > MAX) {
                Iterator<OtlpSpan> first = open.values().iterator();
                oldest = first.next();
                first.remove();
            }
        }
        if (oldest != null) {
            oldest.end("unknown", false);
        }
    }

    /** A hold ended, perhaps one of another process. */
    void ended(LockEvent event, boolean failed) {
        OtlpSpan span = remove(event.lease());
        if (span != null) {
            span.endAfter(event.lasted(), event.type().name().toLowerCase(Locale.ROOT), failed);
        }
    }

    synchronized int size() {
        return open.size();
    }

    /** The server ends; the holds do not. */
    @Override
    public void close() {
        List<OtlpSpan> left;
        synchronized (this) {
            left = new ArrayList<>(open.values());
            open.clear();
        }
        left.forEach(span -> span.end("unknown", false));
    }

    private synchronized @Nullable OtlpSpan remove(long lease) {
        return open.remove(lease);
    }
}
