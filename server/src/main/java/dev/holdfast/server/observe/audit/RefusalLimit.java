package dev.holdfast.server.observe.audit;

import dev.holdfast.server.observe.MinuteLimit;
import dev.holdfast.server.observe.metrics.AccessRefusal;
import java.util.function.LongSupplier;

/**
 * Which refusals are written one by one: of each network and reason the first {@value #EACH} in a minute, and of all together the first
 * {@value #ALL}. The rest is counted, and told with one line for each network and reason, of the first {@value #NETWORKS}, and one for
 * all others. So whoever tries keys all day writes some hundred lines a minute at most, and pushes nothing else out of the file.
 * Safe for any thread.
 */
final class RefusalLimit extends MinuteLimit<RefusalLimit.From> {
    static final int EACH = 10;
    static final int ALL = 200;
    static final int NETWORKS = 100;
    /** Stands for all networks that are not counted on their own. */
    static final String OTHERS = "others";

    RefusalLimit(LongSupplier nanos) {
        super(nanos, new Bounds(EACH, ALL, NETWORKS), from -> new From(OTHERS, from.why()));
    }

    /** Who is refused, by what stands for all addresses of one client, and why. */
    record From(String network, AccessRefusal why) {}
}
