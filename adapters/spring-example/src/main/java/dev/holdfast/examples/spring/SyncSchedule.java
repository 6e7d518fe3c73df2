package dev.holdfast.examples.spring;

import dev.holdfast.LockBusyException;
import dev.holdfast.spi.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Fires on all pods; one works. */
@Component
class SyncSchedule {
    private static final Logger LOG = LoggerFactory.getLogger(SyncSchedule.class);

    private final Synchronisation sync;

    SyncSchedule(Synchronisation sync) {
        this.sync = sync;
    }

    /** Every hour, unless {@code sync.cron} says otherwise; {@code -} for never. */
    @Scheduled(cron = "${sync.cron:0 0 * * * *}")
    void tick() {
        try {
            sync.all();
        } catch (LockBusyException e) {
            LOG.info("{}", e.getMessage());
        } catch (StoreException e) {
            LOG.warn("Not started: {}", e.getMessage()); // the next time, perhaps
        }
    }
}
