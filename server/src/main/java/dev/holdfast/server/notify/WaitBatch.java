package dev.holdfast.server.notify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Long waits that a webhook has not been told of.
 *
 * @param waits in the order in which they became long
 * @param until when these are told, every wait that had become long by then is
 */
record WaitBatch(List<LongWait> waits, Instant until) {
    /** Most waits of one batch: those that became long first; the next look finds the others. */
    static final int MAX_WAITS = 1_000;

    WaitBatch {
        waits = List.copyOf(waits);
    }

    /** Up to which time all are told once those up to this place are. */
    Instant toldAfter(int place) {
        // Another that became long in the same moment may still be to come.
        return place + 1 < waits.size() ? waits.get(place + 1).due().minusNanos(1_000) : until;
    }

    /** Collects them for one webhook; for one thread. */
    static final class Collector {
        private final Webhook of;
        private final Instant after;
        private final TreeSet<LongWait> found =
                new TreeSet<>(Comparator.comparing(LongWait::due).thenComparing(LongWait::identity));
        private boolean more;

        /** For this webhook, which was told of every wait that had become long by that time. */
        Collector(Webhook of, Instant after) {
            this.of = of;
            this.after = after;
        }

        void add(LongWait wait) {
            if (wait.due().isAfter(after) && of.wants(NoticeKind.WAITING, wait.key())) {
                found.add(wait);
                if (found.size() > MAX_WAITS) {
                    found.remove(found.last());
                    more = true;
                }
            }
        }

        /** All of them, if everything was looked at that had happened by that time. */
        WaitBatch until(Instant looked) {
            return new WaitBatch(
                    new ArrayList<>(found), more ? found.last().due().minusNanos(1_000) : looked);
        }
    }
}
