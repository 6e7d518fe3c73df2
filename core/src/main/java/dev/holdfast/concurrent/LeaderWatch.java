package dev.holdfast.concurrent;

import dev.holdfast.Holder;
import dev.holdfast.LockClient;
import dev.holdfast.LockView;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks who leads, and tells when it has changed. An event of the lock makes it look at once; where events of other processes do not come,
 * it looks every five seconds. Only a look tells who leads.
 */
final class LeaderWatch implements LockClient.Subscription {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderWatch.class);

    /** Between two looks without a hint. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final LockClient locks;
    private final LockKey key;
    private final LeaderObserver observer;
    private LockClient.@Nullable Subscription hints;
    /** Whom it told last; empty before the first time. */
    private Optional<LeaderNews> told = Optional.empty();

    private boolean looking;
    private boolean again;
    private boolean listening = true;
    private boolean over;

    LeaderWatch(LockClient locks, LockKey key, LeaderObserver observer) {
        this.locks = locks;
        this.key = key;
        this.observer = observer;
    }

    LeaderWatch started() {
        try {
            LockClient.Subscription subscribed = locks.watch(event -> {
                if (event.event().key().equals(key.record())) {
                    look();
                }
            });
            synchronized (this) {
                hints = subscribed;
            }
        } catch (StoreException e) {
            LOG.debug("No events of lock {}; who leads is looked up every {}", key, PAUSE, e);
        }
        poll();
        return this;
    }

    /** Who holds what is in the way of leading; the leader, unless the lock is used for something else. */
    static Optional<Holder> leader(LockView view, LockKey key) {
        return view.holders().stream()
                .filter(holder -> holder.paths().stream().anyMatch(path -> path.overlaps(key.path())))
                .findFirst();
    }

    private void poll() {
        if (!isOver()) {
            look();
            CompletableFuture.delayedExecutor(PAUSE.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(this::poll);
        }
    }

    private void look() {
        synchronized (this) {
            if (over || looking) {
                again = true;
                return;
            }
            looking = true;
            again = false;
        }
        CompletionStage<LockView> view = locks.inspect().getAsync(key);
        view.whenComplete((seen, thrown) -> {
            if (thrown == null) {
                tell(leader(seen, key));
            } else {
                failed(Candidacy.cause(thrown));
            }
            boolean more;
            synchronized (this) {
                looking = false;
                more = again && !over;
            }
            if (more) {
                look();
            }
        });
    }

    /**
     * Who led, and what it showed of itself: whoever a lock is handed over to shows its metadata only when it has claimed it.
     *
     * @param token of its term; empty if nobody led
     * @param metadata what it showed
     */
    private record LeaderNews(Optional<Token> token, Map<String, String> metadata) {
        static LeaderNews of(Optional<Holder> leader) {
            return new LeaderNews(
                    leader.map(Holder::token), leader.map(Holder::metadata).orElse(Map.of()));
        }
    }

    private void tell(Optional<Holder> leader) {
        Optional<LeaderNews> now = Optional.of(LeaderNews.of(leader));
        synchronized (this) {
            listening = true;
            if (over || now.equals(told)) {
                return;
            }
            told = now;
        }
        call(() -> leader.ifPresentOrElse(observer::leads, observer::nobodyLeads));
    }

    private void failed(Throwable thrown) {
        RuntimeException why = thrown instanceof RuntimeException failure ? failure : new IllegalStateException(thrown);
        synchronized (this) {
            if (over) {
                return;
            }
            listening = false;
            over = why instanceof ClientClosedException;
        }
        call(() -> observer.failed(why));
    }

    private static void call(Runnable observed) {
        try {
            observed.run();
        } catch (RuntimeException | Error e) {
            LOG.error("An observer of leaders failed", e);
        }
    }

    @Override
    public synchronized boolean isListening() {
        return listening && !over;
    }

    @Override
    public synchronized boolean isOver() {
        return over;
    }

    @Override
    public void close() {
        LockClient.Subscription subscribed;
        synchronized (this) {
            over = true;
            subscribed = hints;
            hints = null;
        }
        if (subscribed != null) {
            subscribed.close();
        }
    }
}
