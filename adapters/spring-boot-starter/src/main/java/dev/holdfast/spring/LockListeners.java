package dev.holdfast.spring;

import dev.holdfast.Lease;
import dev.holdfast.LockListener;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Several listeners as one. What one of them throws is logged, and does not keep the others from hearing. */
record LockListeners(List<LockListener> all) implements LockListener {
    private static final Logger LOG = LoggerFactory.getLogger(LockListener.class);

    @Override
    public void acquired(Lease lease, Duration waited) {
        tell(one -> one.acquired(lease, waited));
    }

    @Override
    public void busy(LockKey key, Duration waited) {
        tell(one -> one.busy(key, waited));
    }

    @Override
    public void failed(LockKey key, Throwable failure) {
        tell(one -> one.failed(key, failure));
    }

    @Override
    public void lost(LockKey key, LostReason reason) {
        tell(one -> one.lost(key, reason));
    }

    @Override
    public void released(LockKey key, Duration held) {
        tell(one -> one.released(key, held));
    }

    private void tell(Consumer<LockListener> news) {
        for (LockListener one : all) {
            try {
                news.accept(one);
            } catch (RuntimeException e) {
                LOG.warn("{} failed", one, e);
            }
        }
    }
}
