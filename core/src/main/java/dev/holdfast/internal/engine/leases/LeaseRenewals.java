package dev.holdfast.internal.engine.leases;

import dev.holdfast.internal.engine.judgement.Judgement;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.parts.LastWait;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of this process, earliest deadline first. Renewals that are due together are submitted together, so
 * that they can go in one write or request. A lease that fails is retried within what is left of it, then lost, exactly
 * once; it delays no other. Safe for any thread.
 */
public final class LeaseRenewals {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewals.class);

    /** Leases due within the same slice are looked at together. Small against the shortest renewal interval, 33 ms. */
    private static final long SLICE = 16_000_000;

    /** Between two renewals because of hints. */
    private static final long HINT_PAUSE = 50_000_000;

    /** Between two looks whether all leases are released, at the end. */
    private static final Duration DRAIN_LOOK = Duration.ofMillis(5);

    private static final Duration GIVEN_BACK_WITHIN = Duration.ofSeconds(2);

    /**
     * Renewals under way at once; the others wait their turn, those first that would be lost first. More would not be done sooner, and
     * after a pause of a process with a million leases all of them are due together.
     */
    private static final int MOST_UNDER_WAY = 65_536;

    private final Machine machine;
    private final Judgement judgement;
    private final Renewer renewer;
    private final Shard[] shards;
    private final Habits habits;
    /** Leases that are renewed here and neither released nor lost. */
    private final AtomicInteger renewing = new AtomicInteger();
    /** Releases that the store has not answered yet. */
    private final AtomicInteger releasing = new AtomicInteger();

    /** Those that wait for others to be renewed; guarded by itself, as is how many are. */
    private final PriorityQueue<Turn> turns = new PriorityQueue<>();

    private int underWay;
    private long comings;
    private boolean sending;

    private final Object timerLock = new Object();
    private Machine.@Nullable Timer timer;
    private long timerAt;

    /** The leases by the slice they are due in; several of these, so that callers do not queue for one monitor. */
    private static final class Shard {
        private final TreeMap<Long, List<KeptLease>> due = new TreeMap<>();
        private final Map<RecordKey, List<KeptLease>> byKey = new HashMap<>();
        private int count;
    }

    /** A lease that is due, by when it ends unless it is renewed; in the order in which they came. */
    private record Turn(KeptLease lease, long end, long number) implements Comparable<Turn> {
        @Override
        public int compareTo(Turn other) {
            return end == other.end ? Long.compare(number, other.number) : Long.compare(end - other.end, 0);
        }
    }

    /**
     * How a keeper goes about it.
     *
     * @param watched whether it is told of changes, so that leases must be found by their lock
     * @param together whether leases that are soon due are renewed along with those that are: for lines where a request for
     *     many costs no more than one for one
     * @param shards among how many monitors the leases are spread
     */
    public record Habits(boolean watched, boolean together, int shards) {}

    /** A keeper that renews over this line. */
    public LeaseRenewals(Machine machine, Judgement judgement, Renewer renewer, Habits habits) {
        this.machine = machine;
        this.judgement = judgement;
        this.renewer = renewer;
        this.habits = habits;
        shards = new Shard[habits.shards()];
        for (int i = 0; i < shards.length; i++) {
            shards[i] = new Shard();
        }
    }

    LocalTime time() {
        return machine.time();
    }

    Judgement judgement() {
        return judgement;
    }

    void tell(Runnable listener) {
        machine.tell(Machine.Lane.LOSSES, listener);
    }

    /** Keeps a lease that was just granted. */
    public KeptLease keep(RecordKey key, Hold hold, Anchor start, boolean renews) {
        KeptLease lease = new KeptLease(this, key, hold, start, renews);
        renewing.addAndGet(renews ? 1 : 0);
        if (!hold.terms().lease().equals(Times.FOREVER)) {
            list(lease, nextLook(lease));
        }
        if (renews && habits.watched()) {
            Shard shard = shard(lease);
            synchronized (shard) {
                // Nearly always the only one, of perhaps a million locks: a list of one is small.
                shard.byKey.merge(key, List.of(lease), (before, one) -> {
                    List<KeptLease> all = new ArrayList<>(before);
                    all.addAll(one);
                    return all;
                });
            }
        }
        return lease;
    }

    /** Stops keeping a lease whose holder releases it; false if it had ended before. */
    public boolean release(KeptLease lease) {
        boolean released = lease.releasing();
        if (released && lease.renews()) {
            renewing.decrementAndGet();
        }
        end(lease);
        return released;
    }

    /** The same, and releases it at the store; {@link #drain} waits for its answer, too. */
    public <T> CompletableFuture<T> release(KeptLease lease, Supplier<CompletableFuture<T>> atStore) {
        releasing.incrementAndGet(); // before it is not renewed any more: who drains sees the one or the other
        boolean asked = false;
        try {
            release(lease);
            CompletableFuture<T> answer = atStore.get();
            asked = true;
            Stages.then(answer, (value, failure) -> releasing.decrementAndGet());
            return answer;
        } finally {
            if (!asked) {
                releasing.decrementAndGet();
            }
        }
    }

    /** How many leases are kept. */
    public int size() {
        int all = 0;
        for (Shard shard : shards) {
            synchronized (shard) {
                all += shard.count;
            }
        }
        return all;
    }

    /**
     * Waits until all leases that are renewed here are released, at the store too, or time is up, or the thread is interrupted; then ends those that are
     * left, and gives them back.
     *
     * @param giveBack how; waited for a little
     */
    public void drain(Duration within, Function<KeptLease, CompletableFuture<?>> giveBack) {
        long start = time().nanos();
        while ((renewing.get() > 0 || releasing.get() > 0)
                && Duration.ofNanos(time().nanos() - start).compareTo(within) < 0
                && !Thread.currentThread().isInterrupted()) {
            rest();
        }
        giveBackAll(giveBack);
    }

    private void rest() {
        try {
            machine.pause(DRAIN_LOOK);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void giveBackAll(Function<KeptLease, CompletableFuture<?>> giveBack) {
        List<CompletableFuture<?>> given = new ArrayList<>();
        for (KeptLease lease : unlisted()) {
            lose(lease, LostReason.CLOSED, false);
            if (lease.renews()) { // the others end by themselves, and may be renewed elsewhere by their id
                given.add(giveBack.apply(lease));
            }
        }
        LastWait.forAll(given, GIVEN_BACK_WITHIN)
                .ifPresent(why -> LOG.info("Some locks could not be given back at close; they end by themselves", why));
    }

    /** Ends all leases here, at the store they expire by themselves: their work may still be going on. */
    public void close() {
        synchronized (timerLock) {
            if (timer != null) {
                timer.cancel();
            }
        }
        unlisted().forEach(lease -> lose(lease, LostReason.CLOSED, false));
    }

    /** Takes all leases from the lists. */
    private List<KeptLease> unlisted() {
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

    /** The record was forced or changed by another process: its leases here are renewed at once, and so find out. */
    public void lookAt(RecordKey key) {
        for (Shard shard : shards) {
            List<KeptLease> found = new ArrayList<>(0);
            synchronized (shard) {
                if (!shard.byKey.isEmpty()) {
                    found.addAll(shard.byKey.getOrDefault(key, List.of()));
                }
            }
            found.forEach(this::hinted);
        }
    }

    /** Hints come in bursts; what was renewed a moment ago, or is being renewed, is asked about again a little later. */
    private void hinted(KeptLease lease) {
        lease.hint();
        long at = lease.start().nanos() + HINT_PAUSE;
        if (lease.isRenewing()) {
            return; // the answer sees to it
        }
        if (time().nanos() - at > 0) {
            look(lease);
        } else {
            sooner(lease, at);
        }
    }

    // ---- when to look

    private long nextLook(KeptLease lease) {
        long end = lease.trustedUntil();
        if (!lease.renews()) {
            return end;
        }
        long every = lease.isHinted() ? HINT_PAUSE : lease.renewEvery();
        return Math.min(end, lease.start().nanos() + every);
    }

    private Shard shard(KeptLease lease) {
        return shards.length == 1 ? shards[0] : shards[(lease.hashCode() & 0x7fffffff) % shards.length];
    }

    /** Looks at it then, and not at the time it was listed for before. */
    private void list(KeptLease lease, long at) {
        list(lease, at, before -> true);
    }

    /** Looks at it then, unless it is looked at before. */
    private void sooner(KeptLease lease, long at) {
        list(lease, at, before -> at - before < 0);
    }

    /** Looks at it then, unless somebody else has listed it meanwhile: who did so knew more. */
    private void listAgain(KeptLease lease, long at) {
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

    private void end(KeptLease lease) {
        Shard shard = shard(lease);
        synchronized (shard) {
            if (lease.listed) {
                remove(shard, lease);
            }
            if (habits.watched()) {
                shard.byKey.computeIfPresent(lease.key(), (key, leases) -> {
                    List<KeptLease> others =
                            leases.stream().filter(it -> it != lease).toList();
                    return others.isEmpty() ? null : others;
                });
            }
        }
        if (lease.underWay) {
            leave(lease);
            sendNext();
        }
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

    private void wakeAt(long at) {
        synchronized (timerLock) {
            if (timer != null && timerAt - at <= 0) {
                return;
            }
            if (timer != null) {
                timer.cancel();
            }
            timerAt = at;
            timer = machine.after(Duration.ofNanos(Math.max(0, at - time().nanos())), this::tick);
        }
    }

    private void tick() {
        synchronized (timerLock) {
            timer = null;
        }
        long now = time().nanos();
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
                if (habits.together() && !due.isEmpty()) {
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
        due.forEach(this::look);
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

    // ---- what to do then

    private void look(KeptLease lease) {
        if (!lease.isValid()) {
            // One that nobody renews here ends at the store by itself; it may be renewed elsewhere, by its id.
            lose(lease, whyEnded(lease), lease.renews());
        } else if (lease.renews() && lease.isForgotten()) {
            forget(lease);
        } else if (lease.renews() && time().nanos() - lease.trustedUntil() < 0 && lease.startRenewing()) {
            renew(lease);
        } else {
            listAgain(lease, lease.trustedUntil());
        }
    }

    private void forget(KeptLease lease) {
        LOG.warn(
                "Lock {} was neither released nor closed, and nothing refers to its lease any more: it is given back."
                        + " Close leases, for example with try (Lease lease = ...)",
                lease.key());
        lose(lease, LostReason.ABANDONED, true);
    }

    private static LostReason whyEnded(KeptLease lease) {
        if (!lease.renews()) {
            return LostReason.EXPIRED;
        }
        return lease.isRenewing() || lease.failing ? LostReason.STORE_UNREACHABLE : LostReason.PAUSED;
    }

    private void renew(KeptLease lease) {
        long end = lease.trustedUntil();
        list(lease, end); // should the answer not come, it is lost then; the answer, on whatever thread, lists it anew
        synchronized (turns) {
            turns.add(new Turn(lease, end, ++comings));
        }
        sendNext();
    }

    /** Sends as many as may be under way. One thread does so at a time: an answer that comes at once does not send the next one within. */
    private void sendNext() {
        boolean first = true;
        for (Turn turn = turn(first); turn != null; turn = turn(first)) {
            first = false;
            KeptLease lease = turn.lease();
            try {
                long end = lease.trustedUntil(); // it may have been extended meanwhile
                Stages.then(Stages.from(() -> renewer.renew(lease, Optional.empty(), end)), (answer, failure) -> {
                    leave(lease); // first: what follows may renew it again
                    try {
                        answered(lease, answer, failure);
                    } finally {
                        sendNext();
                    }
                });
            } catch (Throwable e) { // such as no memory: the others must not wait for this one for ever
                lease.stopRenewing();
                leave(lease);
                synchronized (turns) {
                    sending = false;
                }
                throw e;
            }
        }
    }

    /** It is not under way any more: it was answered, or has ended and nobody waits for its answer. */
    private void leave(KeptLease lease) {
        synchronized (turns) {
            underWay -= lease.underWay ? 1 : 0;
            lease.underWay = false;
        }
    }

    /** The next one to be sent; none if enough are, or if another thread sends them. */
    private @Nullable Turn turn(boolean first) {
        synchronized (turns) {
            if (first && sending) {
                return null;
            }
            Turn next = underWay < MOST_UNDER_WAY ? turns.poll() : null;
            while (next != null && !next.lease().isValid()) { // lost or released, or about to be found lost
                next = turns.poll();
            }
            sending = next != null;
            if (next != null) {
                underWay++;
                next.lease().underWay = true;
            }
            return next;
        }
    }

    private void answered(KeptLease lease, Renewer.@Nullable Renewal answer, @Nullable Throwable failure) {
        lease.stopRenewing();
        if (failure != null) {
            failed(lease, failure);
        } else if (answer != null) {
            settle(lease, answer);
        }
    }

    /** What the answer says; whether the lease is held on. */
    boolean settle(KeptLease lease, Renewer.Renewal answer) {
        answer.result()
                .fold(
                        renewed -> {
                            if (renewed.hold().token().equals(lease.hold().token())) {
                                again(lease, renewed.hold(), answer.start());
                            } else { // what it had passed, and somebody else was granted the lock by the same id
                                lose(lease, LostReason.UNKNOWN, false);
                            }
                            return null;
                        },
                        lost -> {
                            lose(lease, lost.reason(), false);
                            return null;
                        });
        return lease.isValid();
    }

    /** Makes it last at least this long from now; false if it is not held any more. Fails if that cannot be said before the deadline. */
    public CompletableFuture<Boolean> extend(KeptLease lease, Duration length, long deadline) {
        if (!lease.isValid()) {
            return CompletableFuture.completedFuture(false);
        }
        Optional<Duration> longer = Optional.of(length)
                .filter(it -> it.compareTo(lease.hold().terms().lease()) > 0);
        return renewer.renew(lease, longer, deadline).thenApply(answer -> settle(lease, answer));
    }

    private void again(KeptLease lease, Hold hold, Anchor start) {
        lease.failing = false;
        lease.renewed(hold, start);
        if (lease.isValid()) {
            list(lease, nextLook(lease));
        } else {
            lose(lease, whyEnded(lease), true); // too late for its holder, who was told already
        }
    }

    private void failed(KeptLease lease, Throwable failure) {
        boolean first = !lease.failing;
        lease.failing = true;
        if (judgement().countsAsRenewed(failure)) {
            again(lease, lease.hold(), Anchor.of(time()));
        } else if (!lease.isValid()) {
            lose(lease, whyEnded(lease), true);
        } else {
            String what = "Renewing lock {} failed, trying again until the lease ends in {}: {}";
            if (first) { // an outage is said once, not with every try
                LOG.warn(what, lease.key(), lease.remaining(), failure.getMessage());
            } else {
                LOG.debug(what, lease.key(), lease.remaining(), failure.getMessage());
            }
            long left = lease.trustedUntil() - time().nanos();
            list(lease, time().nanos() + Math.min(left, Math.max(left / 4, SLICE)));
        }
    }

    /** Ends the lease here, once; gives it back at the store if it may still be held there. */
    private void lose(KeptLease lease, LostReason reason, boolean giveBack) {
        Optional<List<Consumer<LostReason>>> listeners = lease.losing(reason);
        if (listeners.isEmpty()) {
            return;
        }
        if (lease.renews()) {
            renewing.decrementAndGet();
        }
        end(lease);
        listeners.get().forEach(listener -> tell(() -> listener.accept(reason)));
        if (giveBack) {
            renewer.giveBack(lease);
        }
    }
}
