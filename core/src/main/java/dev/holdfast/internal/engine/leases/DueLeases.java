package dev.holdfast.internal.engine.leases;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * When each lease is looked at next, and one timer for all of them. What is found when looking is not decided here. Each lease is
 * listed once at most; one that has ended is not listed again. Safe for any thread.
 */
final class DueLeases {
    /** Leases due within the same slice are looked at together. Small against the shortest renewal interval, 33 ms. */
    static final long SLICE = 16_000_000;

    private final Machine machine;
    private final RenewalLine line;
    private final Consumer<KeptLease> look;
    private final Shard[] shards;

    private final Object timerLock = new Object();
    private Machine.@Nullable Timer timer;
    private long timerAt;

    /** The leases by the slice they are due in; several of these, so that callers do not queue for one monitor. */
    private static final class Shard {
        private final TreeMap<Long, List<KeptLease>> due = new TreeMap<>();
        private final Map<RecordKey, List<KeptLease>> byKey = new HashMap<>();
        private int count;
    }

    DueLeases(Machine machine, RenewalLine line, Consumer<KeptLease> look) {
        this.machine = machine;
        this.line = line;
        this.look = look;
        shards = new Shard[line.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard();
        }
    }

    private Shard shard(KeptLease lease) {
        return shards.length == 1 ? shards[0] : shards[(lease.hashCode() & 0x7fffffff) % shards.length];
    }

    // ---- when to look

    /** Looks at it then, and not at the time it was listed for before. */
    void list(KeptLease lease, long at) {
        list(lease, at, before -> true);
    }

    /** Looks at it then, unless it is looked at before. */
    void sooner(KeptLease lease, long at) {
        list(lease, at, before -> at - before < 0);
    }

    /** Looks at it then, unless somebody else has listed it meanwhile: who did so knew more. */
    void listAgain(KeptLease lease, long at) {
        list(lease, at, before -> false);
    }

    private void list(KeptLease lease, long at, LongPredicate instead) {
        Shard shard = shard(lease);
        synchronized (shard) {
            if (lease.hasEnded() || (lease.listed && !instead.test(lease.dueAt))) {
                return;
            }
            if (lease.listed) {
                remove(shard, lease);
            }
            lease.dueAt = at;
            lease.listed = true;
            shard.count++;
            List<KeptLease> together = shard.due.computeIfAbsent(slice(at), s -> new ArrayList<>(1));
            lease.place = together.size();
            together.add(lease);
        }
        wakeAt(slice(at));
    }

    private static void remove(Shard shard, KeptLease lease) {
        Long slice = slice(lease.dueAt);
        List<KeptLease> together = shard.due.get(slice);
        if (together != null) {
            KeptLease last = together.remove(together.size() - 1);
            if (last != lease) {
                together.set(lease.place, last);
                last.place = lease.place;
            }
            if (together.isEmpty()) {
                shard.due.remove(slice);
            }
        }
        lease.listed = false;
        shard.count--;
    }

    /** The end of the slice this time is in. */
    private static long slice(long at) {
        return (Math.floorDiv(at, SLICE) + 1) * SLICE;
    }

    // ---- by the lock

    /** From now on it is found by its lock, if anybody tells of changes to locks. */
    void index(KeptLease lease) {
        if (line.watched()) {
            Shard shard = shard(lease);
            synchronized (shard) {
                // Nearly always the only one, of perhaps a million locks: a list of one is small.
                shard.byKey.merge(lease.key(), List.of(lease), (before, one) -> {
                    List<KeptLease> all = new ArrayList<>(before);
                    all.addAll(one);
                    return all;
                });
            }
        }
    }

    List<KeptLease> of(RecordKey key) {
        List<KeptLease> all = new ArrayList<>(0);
        for (Shard shard : shards) {
            synchronized (shard) {
                if (!shard.byKey.isEmpty()) {
                    all.addAll(shard.byKey.getOrDefault(key, List.of()));
                }
            }
        }
        return all;
    }

    // ---- ends

    /** It has ended: it is neither looked at again nor found by its lock. */
    void remove(KeptLease lease) {
        Shard shard = shard(lease);
        synchronized (shard) {
            if (lease.listed) {
                remove(shard, lease);
            }
            if (line.watched()) {
                shard.byKey.computeIfPresent(lease.key(), (key, leases) -> {
                    List<KeptLease> others =
                            leases.stream().filter(it -> it != lease).toList();
                    return others.isEmpty() ? null : others;
                });
            }
        }
    }

    /** Takes all leases from the lists. */
    List<KeptLease> removeAll() {
        List<KeptLease> all = new ArrayList<>();
        for (Shard shard : shards) {
            synchronized (shard) {
                for (List<KeptLease> due : shard.due.values()) {
                    due.forEach(lease -> lease.listed = false);
                    all.addAll(due);
                }
                shard.due.clear();
                shard.byKey.clear();
                shard.count = 0;
            }
        }
        return all;
    }

    int size() {
        int all = 0;
        for (Shard shard : shards) {
            synchronized (shard) {
                all += shard.count;
            }
        }
        return all;
    }

    // ---- the timer

    void stop() {
        synchronized (timerLock) {
            if (timer != null) {
                timer.cancel();
            }
        }
    }

    private void wakeAt(long at) {
        synchronized (timerLock) {
            if (timer != null && timerAt - at <= 0) {
                return;
            }
            if (timer != null) {
                timer.cancel();
            }
            timerAt = at;
            long left = at - machine.time().nanos();
            timer = machine.after(Duration.ofNanos(Math.max(0, left)), this::tick);
        }
    }

    private void tick() {
        synchronized (timerLock) {
            timer = null;
        }
        long now = machine.time().nanos();
        long next = Long.MAX_VALUE;
        List<KeptLease> due = new ArrayList<>();
        for (Shard shard : shards) {
            synchronized (shard) {
                while (!shard.due.isEmpty() && shard.due.firstKey() - now <= 0) {
                    for (KeptLease lease : shard.due.pollFirstEntry().getValue()) {
                        lease.listed = false;
                        shard.count--;
                        due.add(lease);
                    }
                }
                if (line.together() && !due.isEmpty()) {
                    soonDue(shard, now).forEach(lease -> {
                        remove(shard, lease);
                        due.add(lease);
                    });
                }
                Map.Entry<Long, List<KeptLease>> first = shard.due.firstEntry();
                next = first == null ? next : Math.min(next, first.getKey());
            }
        }
        if (next != Long.MAX_VALUE) {
            wakeAt(next);
        }
        due.forEach(look);
    }

    /** Those whose turn comes within half of their interval: of any two of one interval, one is that near to the other. */
    private static List<KeptLease> soonDue(Shard shard, long now) {
        List<KeptLease> soon = new ArrayList<>();
        for (List<KeptLease> leases : shard.due.values()) {
            for (KeptLease lease : leases) {
                if (lease.renews() && !lease.isRenewing() && lease.dueAt - now < lease.renewEvery() / 2) {
                    soon.add(lease);
                }
            }
        }
        return soon;
    }
}
