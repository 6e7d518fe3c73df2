package dev.holdfast.internal.engine;

import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.model.RecordKey;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queues of the locks in use, and of those used lately, up to a bound. Each new one beyond the bound retires a few that
 * nobody needs, so the cost of forgetting is paid evenly and no sweep ever stops the world.
 */
final class KeyQueues {
    /** How many queues are looked at for each new one beyond the bound; two or more keep the bound. */
    private static final int LOOKS = 4;

    private final Map<RecordKey, KeyQueue> queues = new ConcurrentHashMap<>();
    private final ReentrantLock retiring = new ReentrantLock();
    private final AtomicInteger waiters = new AtomicInteger();
    private final int bound;
    private Iterator<KeyQueue> hand = queues.values().iterator();

    KeyQueues(int bound) {
        this.bound = bound;
    }

    KeyQueue of(RecordKey key, EngineParts parts, DecidingEngine alone) {
        KeyQueue queue = queues.get(key);
        if (queue != null) {
            return queue;
        }
        if (queues.size() >= bound) {
            retireSome(parts);
        }
        return queues.computeIfAbsent(key, k -> new KeyQueue(k, parts, waiters, alone));
    }

    /** The queue of this lock, only if it is in use. */
    @org.jspecify.annotations.Nullable KeyQueue peek(RecordKey key) {
        return queues.get(key);
    }

    void remove(KeyQueue retired) {
        queues.remove(retired.key, retired);
    }

    Collection<KeyQueue> all() {
        return queues.values();
    }

    /** How many callers wait in this process. */
    int waiters() {
        return waiters.get();
    }

    private void retireSome(EngineParts parts) {
        if (!retiring.tryLock()) {
            return;
        }
        try {
            long now = parts.machine().time().nanos();
            for (int i = 0; i < LOOKS; i++) {
                if (!hand.hasNext()) {
                    hand = queues.values().iterator();
                }
                if (hand.hasNext()) {
                    KeyQueue queue = hand.next();
                    if (queue.retire(now)) {
                        remove(queue);
                    }
                }
            }
        } finally {
            retiring.unlock();
        }
    }
}
