package dev.holdfast;

import dev.holdfast.internal.engine.Request;
import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.time.LocalTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Takes several locks or none: paths of one record together, records in the order of their keys. */
final class AllOf {
    /** Most records taken together: each is a round trip while the earlier ones are already held. */
    static final int MAX_RECORDS = 100;

    private final ServiceClient client;
    private final LocalTime time;
    private final AcquireOptions options;

    AllOf(ServiceClient client, LocalTime time, AcquireOptions options) {
        this.client = client;
        this.time = time;
        this.options = options;
    }

    Lease take(Collection<LockKey> keys) throws InterruptedException {
        Map<RecordKey, TreeSet<LockKey>> byRecord = new TreeMap<>();
        keys.forEach(key ->
                byRecord.computeIfAbsent(key.record(), k -> new TreeSet<>()).add(key));
        if (byRecord.isEmpty() || byRecord.size() > MAX_RECORDS) {
            throw new IllegalArgumentException(
                    "acquireAll takes 1 to " + MAX_RECORDS + " different locks, was given " + byRecord.size());
        }
        if (options.leaseId.isPresent() && byRecord.size() > 1) {
            throw new IllegalArgumentException("a lease id names one acquisition; several locks need one each");
        }
        boolean forever = options.wait.equals(AcquireOptions.FOREVER);
        long end = time.nanos() + (forever ? 0 : Request.waitFor(options.wait).toNanos());
        List<HeldLease> taken = new ArrayList<>();
        boolean complete = false;
        try {
            for (TreeSet<LockKey> together : byRecord.values()) {
                Duration left = forever ? options.wait : Duration.ofNanos(Math.max(0, end - time.nanos()));
                LockKey first = together.first();
                taken.add(client.takeFor(first, options.forPaths(together.tailSet(first, false)), left)
                        .orThrow());
            }
            complete = true;
            return taken.size() == 1 ? taken.get(0) : new Together(taken);
        } finally {
            if (!complete) {
                taken.forEach(HeldLease::closeUnused);
            }
        }
    }

    /** Several leases as one: valid while all are, lost when the first is. */
    private static final class Together implements Lease {
        private final List<HeldLease> taken;
        private final List<Lease> leases;
        private volatile boolean leftToTransaction;

        Together(List<HeldLease> taken) {
            this.taken = List.copyOf(taken);
            this.leases = List.copyOf(taken);
        }

        @Override
        public List<Lease> each() {
            return leases;
        }

        @Override
        public LockKey key() {
            return leases.get(0).key();
        }

        @Override
        public LeaseId leaseId() {
            return leases.get(0).leaseId();
        }

        /** The lowest of all. Give each resource the token of its own lock: see {@link #each()}. */
        @Override
        public Token token() {
            return leases.stream().map(Lease::token).min(Token::compareTo).orElseThrow();
        }

        @Override
        public Optional<Instant> expiresAt() {
            return leases.stream().flatMap(lease -> lease.expiresAt().stream()).min(Instant::compareTo);
        }

        @Override
        public boolean isValid() {
            return leases.stream().allMatch(Lease::isValid);
        }

        @Override
        public void ensureValid() {
            leases.forEach(Lease::ensureValid);
        }

        @Override
        public Duration remaining() {
            return leases.stream()
                    .map(Lease::remaining)
                    .min(Duration::compareTo)
                    .orElse(Duration.ZERO);
        }

        @Override
        public Optional<LostReason> lostFor() {
            return leases.stream().flatMap(lease -> lease.lostFor().stream()).findFirst();
        }

        @Override
        public void onLost(Consumer<LostReason> listener) {
            AtomicBoolean once = new AtomicBoolean();
            leases.forEach(lease -> lease.onLost(reason -> {
                if (once.compareAndSet(false, true)) {
                    listener.accept(reason);
                }
            }));
        }

        @Override
        public boolean release() {
            List<CompletableFuture<Boolean>> all =
                    new ArrayList<>(); // together: one write, and one wait if the store fails
            taken.forEach(lease -> all.add(lease.release(Command.Ending.RELEASED, Calling.ASYNC)));
            boolean held = true;
            Optional<RuntimeException> failed = Optional.empty();
            for (CompletableFuture<Boolean> one : all) {
                try {
                    held &= Failures.join(one);
                } catch (RuntimeException e) { // the others are released all the same
                    failed.ifPresent(e::addSuppressed);
                    failed = Optional.of(e);
                }
            }
            if (failed.isPresent()) {
                throw failed.get();
            }
            return held;
        }

        @Override
        public CompletableFuture<Boolean> releaseAsync() {
            CompletableFuture<Boolean> all = CompletableFuture.completedFuture(true);
            for (Lease lease : leases) {
                all = all.thenCombine(lease.releaseAsync(), Boolean::logicalAnd);
            }
            return all;
        }

        @Override
        public boolean extend(Duration lease) {
            boolean held = true;
            for (Lease one : leases) {
                held &= one.extend(lease);
            }
            return held;
        }

        @Override
        public boolean extend(Duration lease, Duration minHold) {
            boolean held = true;
            for (Lease one : leases) {
                held &= one.extend(lease, minHold);
            }
            return held;
        }

        @Override
        public void releaseAfter(Transaction transaction) {
            HeldLease.join(this, transaction, this::closeNow);
            leftToTransaction = true;
        }

        @Override
        public void close() {
            if (!leftToTransaction) {
                closeNow();
            }
        }

        private void closeNow() {
            for (int i = taken.size() - 1; i >= 0; i--) {
                taken.get(i).closeNow();
            }
        }
    }
}
