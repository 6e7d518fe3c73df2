package dev.holdfast.server.notify;

import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.Causes;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Names;
import dev.holdfast.model.Waiter;
import dev.holdfast.server.observe.logs.LogMask;
import dev.holdfast.spi.Page;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks through the locks in use: finds who waits for long, and has what time alone changes judged (a hold that has turned stale or has
 * ended, a waiter that is gone), so that it is in the log of events now and not only at the next clean-up. One page at a time; its calls
 * block.
 */
final class WaitSurvey {
    private static final Logger LOG = LoggerFactory.getLogger(WaitSurvey.class);
    /** A hundred thousand locks in use; a look at more would keep the store busy with nothing else. */
    private static final int MAX_PAGES = 100;

    private final LockEngine engine;
    private final Duration longer;
    private boolean toldTooMany;

    WaitSurvey(LockEngine engine, Duration longer) {
        this.engine = engine;
        this.longer = longer;
    }

    /** Hands every long wait to these, and says up to which time nothing is missing. */
    Instant look(List<WaitBatch.Collector> collectors) throws InterruptedException {
        Instant now = EngineAnswers.await(engine.now()).earliest();
        ScanRequest request = ScanRequest.all().busy();
        for (int i = 0; i < MAX_PAGES; i++) {
            Page page = EngineAnswers.await(engine.scan(request));
            List<CompletableFuture<?>> judged = new ArrayList<>();
            for (Versioned found : page.records()) {
                look(found.record(), now, collectors);
                if (needsJudging(found.record(), now)) {
                    judged.add(engine.touch(found.record().key()));
                }
            }
            await(judged);
            if (page.next().isEmpty()) {
                return now;
            }
            request = request.from(page.next());
        }
        if (!toldTooMany) {
            toldTooMany = true;
            LOG.warn(
                    "More than {} locks are in use; webhooks do not get long waits for the rest",
                    MAX_PAGES * ScanRequest.MAX_LIMIT);
        }
        return now;
    }

    private void look(LockRecord record, Instant now, List<WaitBatch.Collector> collectors) {
        for (Waiter waiter : record.queue()) {
            Instant due = waiter.since().plus(longer);
            if (!due.isAfter(now)) {
                LongWait wait = new LongWait(record.key(), waiter, due, now, holders(record));
                collectors.forEach(collector -> collector.add(wait));
            }
        }
    }

    private static List<Hold> holders(LockRecord record) {
        return record.holds().stream()
                .filter(Hold::isHeld)
                .limit(LongWait.MAX_HOLDERS)
                .map(WaitSurvey::discreet)
                .toList();
    }

    /** As it may leave: without metadata, and without what looks like a secret in the reason. */
    private static Hold discreet(Hold hold) {
        String reason = LogMask.masked(hold.terms().reason());
        return hold.described(
                Map.of(), reason.length() <= Names.MAX_TEXT ? reason : reason.substring(0, Names.MAX_TEXT));
    }

    /** Whether something is over, or looks stale. The rules decide; this only spares them the rest. */
    private boolean needsJudging(LockRecord record, Instant now) {
        if (record.isNewer()) {
            return false;
        }
        Duration staleAfter = engine.config().staleAfter();
        return record.holds().stream()
                        .anyMatch(hold -> now.isAfter(hold.expiresAt())
                                || (hold.isHeld() && !hold.stale() && now.isAfter(hold.staleAt(staleAfter))))
                || record.alive().values().stream().anyMatch(now::isAfter);
    }

    /** One that could not be judged is found again at the next look. */
    private static void await(List<CompletableFuture<?>> judged) throws InterruptedException {
        CompletableFuture<Optional<Throwable>> all = CompletableFuture.allOf(judged.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> Optional.ofNullable(failure));
        EngineAnswers.await(all)
                .map(Causes::of)
                .ifPresent(failure -> LOG.debug("Not every lock could be judged: {}", failure.toString()));
    }
}
