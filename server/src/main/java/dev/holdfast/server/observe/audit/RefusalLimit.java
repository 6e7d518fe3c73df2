package dev.holdfast.server.observe.audit;

import dev.holdfast.server.observe.FewPerMinute;
import dev.holdfast.server.observe.metrics.AccessRefusal;
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

    private final FewPerMinute<From> refusals;

    RefusalLimit(LongSupplier nanos) {
        this.refusals = new FewPerMinute<>(
                nanos, new FewPerMinute.Bounds(EACH, ALL, NETWORKS), from -> new From(OTHERS, from.why()));
    }

    /** Who is refused, by what stands for all addresses of one client, and why. */
    record From(String network, AccessRefusal why) {}

    /** How many of these were not written one by one. */
    record Rest(From from, long count) {}

    boolean admits(From from) {
        return refusals.admits(from);
    }

    /** After a minute: what was only counted in it. Then the next minute begins. */
    List<Rest> rests() {
        return list(refusals.rests());
    }

    /** The same before the minute is over, at the end of a server. */
    List<Rest> end() {
        return list(refusals.end());
    }

    private static List<Rest> list(Map<From, Long> rests) {
        return rests.entrySet().stream()
                .map(rest -> new Rest(rest.getKey(), rest.getValue()))
                .toList();
    }
}
