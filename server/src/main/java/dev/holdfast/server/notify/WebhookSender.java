package dev.holdfast.server.notify;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.server.observe.MinuteLimit;
import dev.holdfast.server.observe.metrics.NotifyMeters;
import dev.holdfast.spi.EventLog.StoredEvent;
import dev.holdfast.spi.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells one webhook everything it wants to hear, in order, for one term. The next thing is sent when the one before was taken or given
 * up, and the position is stored in between.
 */
final class WebhookSender implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);

    /** A receiver that refused something so often, over about ten minutes, will not take it: what follows must not wait for it any longer. */
    static final int MAX_REFUSALS = 10;
    /** A position that only passed over what nobody is told is stored this seldom. */
    private static final Duration SAVE_EVERY = Duration.ofSeconds(30);
    /** The store failed. */
    private static final Duration AGAIN = Duration.ofSeconds(2);

    private static final MinuteLimit.Bounds LINES = new MinuteLimit.Bounds(10, 10, 1);
    private static final String GIVEN_UP = "given up";

    private final Webhook webhook;
    private final NotifyOptions options;
    private final SenderTerm term;
    private final SenderParts parts;
    private final PositionDocument document;
    private final MinuteLimit<String> lines = new MinuteLimit<>(System::nanoTime, LINES, other -> GIVEN_UP);
    /** The survey sets it while there is none, and the sender takes it away. */
    private volatile Optional<WaitBatch> batch = Optional.empty();

    private volatile Optional<Instant> waitsUntil = Optional.empty();
    // Only its own thread uses these.
    private Position position = new Position(0, Instant.EPOCH);
    private Position stored = position;
    private long storedAt;
    /** Something was told that the stored position does not know of. */
    private boolean unsaved;

    private boolean storeFails;
    private boolean receiverFails;

    record SenderParts(
            EventLogReader log, Receiver receiver, DocumentStore documents, NotifyMeters meters, Clock clock) {}

    WebhookSender(Webhook webhook, NotifyOptions options, SenderTerm term, SenderParts parts) {
        this.webhook = webhook;
        this.options = options;
        this.term = term;
        this.parts = parts;
        this.document = new PositionDocument(parts.documents(), webhook, term.token());
    }

    // ---- for the survey

    /** Collects what this webhook has not been told; empty while that is not known, or it still has something to tell. */
    Optional<WaitBatch.Collector> collector() {
        return batch.isPresent() ? Optional.empty() : waitsUntil.map(until -> new WaitBatch.Collector(webhook, until));
    }

    void found(WaitBatch waits) {
        batch = Optional.of(waits);
    }

    // ---- on its own thread

    @Override
    public void run() {
        try {
            boolean begun = false;
            while (term.isCurrent()) {
                begun = step(begun);
            }
        } catch (SupersededException e) {
            LOG.info("{} is served by another server from now on: {}", webhook, e.getMessage());
            term.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            parts.meters().caughtUp(webhook.id());
        }
    }

    /** Whether it has begun. A store that fails is asked again; a fault of ours must not end it either. */
    private boolean step(boolean begun) throws SupersededException, InterruptedException {
        try {
            if (begun) {
                boolean events = tellEvents();
                boolean waits = tellWaits();
                saveSometimes();
                sayRests();
                if (!events && !waits) {
                    term.goesOnAfter(options.pace().poll());
                }
            } else {
                begin();
            }
            if (storeFails) {
                storeFails = false;
                LOG.info("{} is served again: the store answers", webhook);
            }
            return true;
        } catch (StoreException e) {
            if (!storeFails && term.isCurrent()) {
                storeFails = true;
                LOG.warn("{} cannot be notified at the moment, because the store fails: {}", webhook, e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.error("{} could not be notified because of a fault in this server; trying again", webhook, e);
        }
        term.goesOnAfter(AGAIN);
        return begun;
    }

    private void begin() throws SupersededException, InterruptedException {
        long newest = parts.log().newest().orElse(0L);
        Instant now = parts.log().now();
        Position found = document.claim(() -> new Position(newest, now));
        position = known(found);
        stored = found;
        storedAt = System.nanoTime();
        waitsUntil = Optional.of(found.waitsUntil());
    }

    /** A position behind all events is of another history, such as that of a store before it was emptied. */
    private Position known(Position found) throws InterruptedException {
        Optional<Long> newest = parts.log().newest().filter(number -> number < found.after());
        newest.ifPresent(number -> LOG.warn(
                "{} got events up to {}, but the newest in this store is {}: it gets events from there on",
                webhook,
                found.after(),
                number));
        return newest.map(found::after).orElse(found);
    }

    /** Tells the next events; whether there may be more at once. */
    private boolean tellEvents() throws SupersededException, InterruptedException {
        EventLogReader.LogPage page = parts.log().after(position.after());
        for (StoredEvent event : page.events()) {
            Optional<NoticeKind> kind = NoticeKind.of(event.event().type())
                    .filter(it -> webhook.wants(it, event.event().key()));
            if (kind.isPresent()) {
                if (!tell(EventNotice.of(kind.get(), event))) {
                    return false;
                }
                moved(position.after(event.number()));
            }
        }
        position = position.after(page.through());
        return page.full();
    }

    /** Tells the long waits that were found; whether there were any. */
    private boolean tellWaits() throws SupersededException, InterruptedException {
        Optional<WaitBatch> found = batch;
        if (found.isEmpty()) {
            return false;
        }
        WaitBatch waits = found.get();
        for (int i = 0; i < waits.waits().size(); i++) {
            LongWait wait = waits.waits().get(i);
            if (!wait.due().isAfter(position.waitsUntil())) {
                continue; // told before the store failed
            }
            if (!tell(wait.notice())) {
                return false;
            }
            moved(position.waitsUntil(waits.toldAfter(i)));
        }
        position = position.waitsUntil(waits.until());
        waitsUntil = Optional.of(position.waitsUntil());
        batch = Optional.empty();
        return !waits.waits().isEmpty();
    }

    // ---- one notice

    /** Sends until it is taken or given up; false if the term ended before. */
    private boolean tell(Notice notice) throws InterruptedException {
        parts.meters().behind(webhook.id(), notice.at());
        try {
            for (int attempts = 1; term.isCurrent(); attempts++) {
                if (isTooOld(notice)) {
                    givenUp(notice, "it is older than " + NoticeWords.brief(options.giveUpAfter()));
                    return true;
                }
                Receiver.Answer answer = parts.receiver().post(webhook, notice);
                if (answer.outcome() == Receiver.Outcome.TAKEN) {
                    taken(notice);
                    return true;
                }
                failed(notice, answer);
                if (answer.outcome() == Receiver.Outcome.REFUSED && attempts >= MAX_REFUSALS) {
                    givenUp(notice, "it was refused " + attempts + " times, " + answer.words());
                    return true;
                }
                term.goesOnAfter(options.pace().retryAfter(attempts, answer.retryAfter(), ThreadLocalRandom.current()));
            }
            return false;
        } finally {
            parts.meters().caughtUp(webhook.id());
        }
    }

    private boolean isTooOld(Notice notice) {
        return Duration.between(notice.at(), parts.clock().instant()).compareTo(options.giveUpAfter()) > 0;
    }

    private void taken(Notice notice) {
        parts.meters().count(webhook.id(), NotifyMeters.Outcome.DELIVERED);
        LOG.debug("{} took {} of {}", webhook, notice.label(), notice.key());
        if (receiverFails) {
            receiverFails = false;
            LOG.info("{} accepts deliveries again", webhook);
        }
    }

    /** Said once for an outage, and not at each attempt. */
    private void failed(Notice notice, Receiver.Answer answer) {
        parts.meters().count(webhook.id(), NotifyMeters.Outcome.RETRIED);
        if (!receiverFails) {
            receiverFails = true;
            LOG.warn(
                    "{} did not accept {} of {}: {}. Trying again until the event is {} old",
                    webhook,
                    notice.label(),
                    notice.key(),
                    answer.words(),
                    NoticeWords.brief(options.giveUpAfter()));
        }
    }

    private void givenUp(Notice notice, String why) {
        parts.meters().count(webhook.id(), NotifyMeters.Outcome.GIVEN_UP);
        if (lines.admits(GIVEN_UP)) {
            LOG.warn(
                    "{}: gave up delivering {} of {} at {}: {}",
                    webhook,
                    notice.label(),
                    notice.key(),
                    notice.at(),
                    why);
        }
        sayRests();
    }

    private void sayRests() {
        lines.rests()
                .values()
                .forEach(rest -> LOG.warn("{}: gave up {} more deliveries in the last minute", webhook, rest));
    }

    // ---- its position

    private void moved(Position to) throws SupersededException {
        position = to;
        unsaved = true;
        save();
    }

    private void saveSometimes() throws SupersededException {
        boolean due = System.nanoTime() - storedAt > SAVE_EVERY.toNanos();
        if (unsaved || (due && position.after() != stored.after())) {
            save();
        }
    }

    private void save() throws SupersededException {
        document.save(position);
        stored = position;
        storedAt = System.nanoTime();
        unsaved = false;
    }
}
