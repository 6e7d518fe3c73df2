package dev.holdfast.server.notify;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.failure.ClientClosedException;
import dev.holdfast.internal.engine.LockEngine;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.observe.metrics.NotifyMeters;
import dev.holdfast.spi.StoreException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells webhooks while this replica is the sender, and otherwise asks now and then whether it may become it. On threads of its own: no
 * request waits for it, and nothing of it is needed by others.
 */
public final class Notifier implements AutoCloseable {
    /** Whoever holds this is the sender. */
    static final RecordKey LOCK = new RecordKey("holdfast", "notify");

    private static final Logger LOG = LoggerFactory.getLogger(Notifier.class);
    private static final LockKey KEY = LockKey.of(LOCK.namespace(), LOCK.name());
    /** How long a receiver that is being told may take to answer when this server stops: what it took is then noted. */
    private static final Duration FINISH_WITHIN = Duration.ofSeconds(2);
    /** How long a sender that must stop is waited for, before the lock is released. */
    private static final Duration STOP_WITHIN = Duration.ofSeconds(5);
    /** Looking through the locks takes at most this part of the time. */
    private static final int LOOK_SHARE = 10;

    private final NotifyOptions options;
    private final NotifierParts parts;
    private final Clock clock = Clock.systemUTC();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = DaemonThreads.make("holdfast-notify", this::run);
    // Only its own thread uses these.
    private Optional<DocumentStore> documents = Optional.empty();
    private boolean failing;

    /**
     * What it needs of the server.
     *
     * @param documents opens the place for positions, in one attempt
     */
    public record NotifierParts(
            LockEngine engine, LockClient client, Supplier<DocumentStore> documents, NotifyMeters meters) {}

    private Notifier(NotifyOptions options, NotifierParts parts) {
        this.options = options;
        this.parts = parts;
    }

    /** Begins; does nothing without webhooks. Close it before the engine. */
    public static Notifier start(NotifyOptions options, NotifierParts parts) {
        Notifier notifier = new Notifier(options, parts);
        if (!options.webhooks().isEmpty()) {
            options.webhooks().forEach(webhook -> parts.meters().expect(webhook.id()));
            notifier.thread.start();
        }
        return notifier;
    }

    private void run() {
        try {
            do {
                turn();
            } while (!closing.await(jittered(options.pace().ask()).toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        } catch (ClientClosedException e) {
            LOG.debug("The engine was closed", e);
        } finally {
            if (Thread.interrupted()) {
                LOG.debug("Ends, since it was closed"); // what it closes now must not be disturbed by that
            }
            documents.ifPresent(DocumentStore::close);
        }
    }

    private static Duration jittered(Duration time) {
        return time.plusMillis(ThreadLocalRandom.current().nextLong(time.toMillis() / 4 + 1));
    }

    /** Asks once, and is the sender for as long as it can be, if it may. */
    private void turn() throws InterruptedException {
        try {
            if (documents.isEmpty()) {
                documents = Optional.of(
                        parts.documents().get()); // before the lock is taken: without it there is nothing to do
            }
            Optional<Lease> lease = parts.client()
                    .tryAcquire(
                            KEY, asked -> asked.lease(options.pace().lease()).reason("tells webhooks"))
                    .toOptional();
            if (lease.isPresent()) {
                send(lease.get(), documents.get());
            }
            failing = false;
        } catch (StoreException | IllegalArgumentException e) {
            if (!failing) {
                failing = true;
                LOG.warn("Webhooks cannot be sent at the moment, trying again: {}", e.getMessage());
            }
        } catch (ClientClosedException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("Webhooks could not be notified because of a fault in this server; trying again", e);
        }
    }

    private void send(Lease lease, DocumentStore positions) throws InterruptedException {
        SenderTerm term = new SenderTerm(lease);
        Map<WebhookSender, Thread> senders = new LinkedHashMap<>();
        Receiver receiver = new Receiver(options.timeout(), clock);
        try {
            LOG.info("This server sends the webhooks from now on (fencing token {})", term.token());
            parts.meters().sending(true);
            start(term, receiver, positions, senders);
            survey(term, List.copyOf(senders.keySet()));
        } finally {
            boolean interrupted = Thread.interrupted(); // closed: what follows must still be done
            parts.meters().sending(false);
            term.end();
            stop(senders.values());
            receiver.close();
            lease.close();
            LOG.info("This server no longer sends the webhooks");
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void start(
            SenderTerm term, Receiver receiver, DocumentStore positions, Map<WebhookSender, Thread> senders) {
        WebhookSender.SenderParts shared = new WebhookSender.SenderParts(
                new EventLogReader(parts.engine(), options.pace().poll()), receiver, positions, parts.meters(), clock);
        for (Webhook webhook : options.webhooks()) {
            WebhookSender sender = new WebhookSender(webhook, options, term, shared);
            senders.put(sender, DaemonThreads.start("holdfast-notify-" + webhook.id(), sender));
        }
    }

    /** Lets those that are sending end, if that is soon: else what they send is sent again, by the next sender. */
    private static void stop(Collection<Thread> threads) {
        try {
            join(threads, FINISH_WITHIN);
            threads.forEach(Thread::interrupt);
            join(threads, STOP_WITHIN);
        } catch (InterruptedException e) {
            threads.forEach(Thread::interrupt);
            Thread.currentThread().interrupt();
        }
    }

    private static void join(Collection<Thread> threads, Duration within) throws InterruptedException {
        long end = System.nanoTime() + within.toNanos();
        for (Thread one : threads) {
            one.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
        }
    }

    // ---- looking through the locks

    private void survey(SenderTerm term, List<WebhookSender> senders) throws InterruptedException {
        WaitSurvey survey = new WaitSurvey(parts.engine(), options.waitsLongerThan());
        Duration pause = options.pace().poll();
        while (term.goesOnAfter(pause)) {
            long began = System.nanoTime();
            try {
                look(survey, senders);
            } catch (StoreException e) {
                LOG.debug("The locks in use could not be searched for long waits: {}", e.getMessage());
            }
            Duration rest = Duration.ofNanos(System.nanoTime() - began).multipliedBy(LOOK_SHARE - 1);
            pause = rest.compareTo(options.pace().look()) > 0
                    ? rest
                    : options.pace().look();
        }
    }

    private static void look(WaitSurvey survey, List<WebhookSender> senders) throws InterruptedException {
        Map<WebhookSender, WaitBatch.Collector> collectors = new LinkedHashMap<>();
        for (WebhookSender sender : senders) {
            sender.collector().ifPresent(collector -> collectors.put(sender, collector));
        }
        Instant looked = survey.look(new ArrayList<>(collectors.values()));
        collectors.forEach((sender, collector) -> sender.found(collector.until(looked)));
    }

    /** Ends it: what is being sent is sent again later, by whoever is the sender then. */
    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
        try {
            thread.join(STOP_WITHIN.multipliedBy(2).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
