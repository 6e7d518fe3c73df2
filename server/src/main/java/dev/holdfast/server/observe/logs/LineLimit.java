package dev.holdfast.server.observe.logs;

import dev.holdfast.server.observe.MinuteLimit;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which lines about the same are written one by one: of each kind the first {@value #EACH} in a minute, of all together the first
 * {@value #ALL}. The rest is counted, and told with one line for each kind when the minute is over. Safe for any thread.
 */
public final class LineLimit extends MinuteLimit<String> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LineLimit.class);
    static final int EACH = 10;
    static final int ALL = 100;
    /** Kinds that are counted on their own; further ones are one. */
    static final int KINDS = 100;

    static final String OTHERS = "other lines";

    public LineLimit(LongSupplier nanos) {
        super(nanos, new Bounds(EACH, ALL, KINDS), kind -> OTHERS);
    }

    /** To be called every now and then: when a minute is over, logs what was left out in it, and begins the next. */
    public void look() {
        tell(rests());
    }

    /** Logs what was left out; for the end of a server, too. */
    @Override
    public void close() {
        tell(end());
    }

    private static void tell(Map<String, Long> rests) {
        rests.forEach((kind, count) -> LOG.warn("Left out of the log within a minute: {} more of {}", count, kind));
    }
}
