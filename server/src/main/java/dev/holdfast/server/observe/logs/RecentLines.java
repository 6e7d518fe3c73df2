package dev.holdfast.server.observe.logs;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.holdfast.server.observe.audit.AuditLog;
import dev.holdfast.wire.Rfc3339;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Keeps the newest {@value #LINES} lines of the log in memory, each cut at {@value #LENGTH} characters: as people read them, with date and
 * time in UTC. Those of the audit are not among them: they have a file of their own.
 */
final class RecentLines extends AppenderBase<ILoggingEvent> {
    static final int LINES = 1_000;
    static final int LENGTH = 4_000;
    /** {@code 14:25:42.123}, for which the whole moment is put. */
    private static final int TIME = 12;

    private final ConsoleLines text = ConsoleLines.full(false);
    private final Deque<String> newest = new ArrayDeque<>();

    RecentLines() {
        setName("recent");
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLoggerName().equals(AuditLog.LOGGER)) {
            return;
        }
        String line = Rfc3339.text(Instant.ofEpochMilli(event.getTimeStamp()))
                + text.doLayout(event).substring(TIME).stripTrailing();
        String kept = line.length() <= LENGTH ? line : line.substring(0, LENGTH) + "…";
        synchronized (newest) {
            if (newest.size() == LINES) {
                newest.removeFirst();
            }
            newest.addLast(kept);
        }
    }

    /** Oldest first, without what may not leave the server. */
    List<String> masked() {
        List<String> all;
        synchronized (newest) {
            all = new ArrayList<>(newest);
        }
        return all.stream().map(LogMask::masked).toList();
    }
}
