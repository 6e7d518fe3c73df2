package dev.holdfast.server.health;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes into the log when a part stops working, and when it works again: one line each, however long it takes and however often it is
 * looked at. It counts as working again when it has done so for {@value #SETTLED_SECONDS} s; what stops again before that is the same
 * outage. For one thread.
 */
final class Outages {
    private static final Logger LOG = LoggerFactory.getLogger(Outages.class);
    static final int SETTLED_SECONDS = 3;
    private static final long SETTLED = Duration.ofSeconds(SETTLED_SECONDS).toNanos();

    private final LongSupplier nanos;
    private final Map<HealthPart.Name, Outage> open = new EnumMap<>(HealthPart.Name.class);

    /** @param workingSince when it was first seen working after that; empty while it does not */
    private record Outage(long since, Optional<Long> workingSince) {}

    Outages(LongSupplier nanos) {
        this.nanos = nanos;
    }

    void see(List<HealthPart> parts) {
        parts.forEach(this::see);
    }

    private void see(HealthPart part) {
        long now = nanos.getAsLong();
        Outage outage = open.get(part.name());
        if (part.isDown()) {
            open.put(part.name(), new Outage(outage == null ? now : outage.since(), Optional.empty()));
            if (outage == null) {
                LOG.warn("{} does not work: {}", part.name().title(), part.detail());
            }
        } else if (outage != null) {
            long workingSince = outage.workingSince().orElse(now);
            open.put(part.name(), new Outage(outage.since(), Optional.of(workingSince)));
            if (now - workingSince >= SETTLED) {
                open.remove(part.name());
                Duration length = Duration.ofNanos(workingSince - outage.since());
                LOG.info("{} works again after {} s", part.name().title(), length.toSeconds());
            }
        }
    }
}
