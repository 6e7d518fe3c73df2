package dev.holdfast.server.http.edge;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Names requests: as their client named them, if that name can stand in a log, else a new one. */
final class RequestIds {
    private static final int MAX = 128;

    private final String prefix = Long.toString(ThreadLocalRandom.current().nextLong(1L << 40), 36) + "-";
    private final AtomicLong last = new AtomicLong();

    String of(@Nullable String given) {
        return given != null && isPlain(given) ? given : prefix + Long.toString(last.incrementAndGet(), 36);
    }

    private static boolean isPlain(String text) {
        if (text.isEmpty() || text.length() > MAX) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.:/+=".indexOf(c) >= 0;
            if (!plain) {
                return false;
            }
        }
        return true;
    }
}
