package dev.holdfast.server.observe.audit;

import dev.holdfast.server.observe.metrics.AccessRefusal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Which refusals are written one by one: of each network and reason the first {@value #EACH} in a minute, and of all together the first
 * {@value #ALL}. The rest is counted, and told with one line for each network and reason, of the first {@value #NETWORKS}, and one for
 * all others. So whoever tries keys all day writes some hundred lines a minute at most, and pushes nothing else out of the file.
 * Safe for any thread.
 */
final class RefusalLimit {
    static final int EACH = 10;
    static final int ALL = 200;
    static final int NETWORKS = 100;
    /** Stands for all networks that are not counted on their own. */
    static final String OTHERS = "others";

    private static final long WINDOW = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private final Map<From, Count> seen = new LinkedHashMap<>();
    private long since;
    private int written;

    RefusalLimit(LongSupplier nanos) {
        this.nanos = nanos;
        this.since = nanos.getAsLong();
    }

    /** Who is refused, by what stands for all addresses of one client, and why. */
    record From(String network, AccessRefusal why) {}

    /** How many of these were not written one by one. */
    record Rest(From from, long count) {}

    private static final class Count {
        private int written;
        private long rest;
    }

    synchronized boolean admits(From from) {
        boolean known = seen.containsKey(from) || seen.size() < NETWORKS;
        Count count = seen.computeIfAbsent(known ? from : new From(OTHERS, from.why()), it -> new Count());
        if (count.written < EACH && written < ALL) {
            count.written++;
            written++;
            return true;
        }
        count.rest++;
        return false;
    }

    /** After a minute: what was only counted in it. Then the next minute begins. */
    synchronized List<Rest> rests() {
        return nanos.getAsLong() - since < WINDOW ? List.of() : end();
    }

    /** The same before the minute is over, at the end of a server. */
    synchronized List<Rest> end() {
        List<Rest> rests = new ArrayList<>();
        seen.forEach((from, count) -> {
            if (count.rest > 0) {
                rests.add(new Rest(from, count.rest));
            }
        });
        seen.clear();
        written = 0;
        since = nanos.getAsLong();
        return rests;
    }
}
