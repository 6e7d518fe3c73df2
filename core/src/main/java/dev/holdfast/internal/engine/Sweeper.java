package dev.holdfast.internal.engine;

import dev.holdfast.internal.engine.machine.Calling;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.spi.time.StoreClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at what nobody asks about: ends expired holds, drops dead waiters, reports stale ones, and deletes records and
 * events that are past their retention. Runs at start and then regularly; safe to run in every process at once, since all it
 * does is conditional.
 */
final class Sweeper {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);
    private static final int EVENTS_AT_ONCE = 1_000;

    private final EngineParts parts;
    private volatile boolean closed;

    Sweeper(EngineParts parts) {
        this.parts = parts;
    }

    void start() {
        // A random while, so that fifty processes that start together do not all sweep together.
        long spread = Math.floorMod(
                parts.machine().random(),
                Math.max(1, parts.config().sweepEvery().toMillis() / 300));
        parts.machine().after(Duration.ofMillis(spread), this::sweepAndRepeat);
    }

    void close() {
        closed = true;
    }

    private void sweepAndRepeat() {
        if (closed) {
            return;
        }
        Stages.then(sweep(false), (swept, failure) -> {
            if (failure != null && !closed) {
                LOG.warn(
                        "Cleaning up expired locks failed and is tried again in {}: {}",
                        parts.config().sweepEvery(),
                        failure.getMessage());
            }
            parts.machine().after(parts.config().sweepEvery(), this::sweepAndRepeat);
        });
    }

    /** One sweep over everything; with {@code dryRun} only says what it would do. */
    CompletableFuture<LockEngine.SweepReport> sweep(boolean dryRun) {
        CompletableFuture<LockEngine.SweepReport> all = new CompletableFuture<>();
        parts.io(
                Calling.ASYNC,
                () -> Stages.then(Stages.from(() -> steps(dryRun)), (tally, failure) -> {
                    if (tally != null) {
                        all.complete(new LockEngine.SweepReport(tally.judged, tally.removed, tally.locks));
                    } else if (failure != null) {
                        all.completeExceptionally(failure);
                    }
                }));
        return all;
    }

    private CompletionStage<Tally> steps(boolean dryRun) {
        return measured()
                .thenCompose(now -> busyPages(ScanRequest.all().busy(), now, dryRun, new Tally()))
                .thenCompose(tally -> idlePages(dryRun, tally))
                .thenCompose(tally -> dryRun ? CompletableFuture.completedStage(tally) : forgetEvents(tally));
    }

    private static final class Tally {
        private int judged;
        private int removed;
        private final List<RecordKey> locks = new ArrayList<>();

        void note(RecordKey key) {
            if (locks.size() < ScanRequest.MAX_LIMIT) {
                locks.add(key);
            }
        }
    }

    private CompletionStage<StoreClock.Reading> measured() {
        StoreClock clock = parts.store().clock();
        return clock.now()
                .map(CompletableFuture::completedStage)
                .orElseGet(() -> clock.measure().thenApply(done -> clock.now().orElseThrow()));
    }

    /** A page, or a failure within the time of an operation: who asked for a clean-up must hear that the store is silent. */
    private CompletionStage<Page> page(ScanRequest request) {
        CompletableFuture<Page> told = new CompletableFuture<>();
        Machine.Timer late = parts.machine()
                .after(parts.config().operationTimeout(), () -> told.completeExceptionally(parts.late()));
        parts.io(
                Calling.ASYNC,
                () -> Stages.then(Stages.from(() -> parts.store().scan(request)), (page, failure) -> {
                    late.cancel();
                    if (page != null) {
                        told.complete(page);
                    } else if (failure != null) {
                        told.completeExceptionally(failure);
                    }
                }));
        return told;
    }

    // ---- holds and waiters whose time is over

    private CompletionStage<Tally> busyPages(ScanRequest from, StoreClock.Reading now, boolean dryRun, Tally tally) {
        return page(from).thenCompose(page -> {
            List<CompletableFuture<?>> touched = new ArrayList<>();
            for (Versioned found : page.records()) {
                if (!found.record().isNewer() && needsJudging(found.record(), now)) {
                    tally.judged++;
                    tally.note(found.record().key());
                    if (!dryRun) {
                        touched.add(parts.send(
                                found.record().key(),
                                new Command.Touch(parts.config().staleAfter())));
                    }
                }
            }
            return CompletableFuture.allOf(touched.toArray(CompletableFuture[]::new))
                    .thenCompose(done -> goOn(page, next -> busyPages(from.from(next), now, dryRun, tally), tally));
        });
    }

    private boolean needsJudging(LockRecord record, StoreClock.Reading reading) {
        Moment now = parts.judgement().moment(reading, Set.of(), Map.of());
        for (Hold hold : record.holds()) {
            if (now.isOver(hold)
                    || (hold.isHeld()
                            && !hold.stale()
                            && now.earliest()
                                    .isAfter(hold.staleAt(parts.config().staleAfter())))) {
                return true;
            }
        }
        return record.alive().entrySet().stream().anyMatch(e -> now.isGone(e.getKey(), e.getValue()));
    }

    // ---- records nobody has used for long

    private CompletionStage<Tally> idlePages(boolean dryRun, Tally tally) {
        return measured().thenCompose(now -> {
            Instant before = now.earliest().minus(parts.config().retention());
            return idlePage(ScanRequest.idleSince(before), now, dryRun, tally);
        });
    }

    private CompletionStage<Tally> idlePage(ScanRequest from, StoreClock.Reading now, boolean dryRun, Tally tally) {
        return page(from).thenCompose(page -> {
            List<Write> deletes = new ArrayList<>();
            for (Versioned found : page.records()) {
                if (parts.judgement()
                        .mayPurge(found.record(), now.earliest(), parts.config().retention())) {
                    deletes.add(delete(found));
                    tally.note(found.record().key());
                }
            }
            if (dryRun) {
                tally.removed += deletes.size();
                return goOn(page, next -> idlePage(from.from(next), now, true, tally), tally);
            }
            return deleteAll(deletes, 0, tally)
                    .thenCompose(done -> goOn(page, next -> idlePage(from.from(next), now, false, tally), tally));
        });
    }

    private CompletionStage<Tally> deleteAll(List<Write> deletes, int from, Tally tally) {
        if (from >= deletes.size()) {
            return CompletableFuture.completedStage(tally);
        }
        int to = Math.min(deletes.size(), from + parts.traits().maxBatch());
        return parts.store().write(deletes.subList(from, to)).thenCompose(results -> {
            for (WriteResult result : results) {
                tally.removed += result instanceof WriteResult.Applied ? 1 : 0;
            }
            return deleteAll(deletes, to, tally);
        });
    }

    private static Write delete(Versioned found) {
        return Write.delete(found.record().key(), Precondition.Stamped.as(found));
    }

    // ---- old events

    private CompletionStage<Tally> forgetEvents(Tally tally) {
        if (!(parts.store() instanceof EventLog log)) {
            return CompletableFuture.completedStage(tally);
        }
        return measured()
                .thenCompose(
                        now -> log.forget(now.earliest().minus(parts.config().historyRetention()), EVENTS_AT_ONCE))
                .thenCompose(gone -> gone == EVENTS_AT_ONCE && !closed
                        ? forgetEvents(tally)
                        : CompletableFuture.completedStage(tally));
    }

    private interface NextPage {
        CompletionStage<Tally> from(Optional<String> cursor);
    }

    private CompletionStage<Tally> goOn(Page page, NextPage next, Tally tally) {
        return page.next().isEmpty() || closed ? CompletableFuture.completedStage(tally) : next.from(page.next());
    }
}
