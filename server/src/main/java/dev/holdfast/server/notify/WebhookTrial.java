package dev.holdfast.server.notify;

import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.wire.WebhookTestJson;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Sends a test message to webhooks, once, and tells what each answered: signed and in the same form as what they are told otherwise, whatever
 * events they are for. From where it is called, and not only from the replica that is the sender. Nothing of it is stored.
 */
public final class WebhookTrial {
    private WebhookTrial() {}

    /**
     * Asks all of them at the same time, so that it takes no longer than one of them may.
     *
     * @param timeout for each
     */
    public static List<WebhookTestJson> of(List<Webhook> webhooks, String asker, Duration timeout)
            throws InterruptedException {
        Notice notice = TestNotice.of(asker, Clock.systemUTC().instant());
        ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.numbered("holdfast-notify-test"));
        try (Receiver receiver = new Receiver(timeout, Clock.systemUTC())) {
            List<Callable<WebhookTestJson>> questions = new ArrayList<>();
            webhooks.forEach(webhook -> questions.add(() -> ask(receiver, webhook, notice)));
            List<WebhookTestJson> results = new ArrayList<>();
            for (Future<WebhookTestJson> answer : threads.invokeAll(questions)) {
                results.add(answer.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a receiver that fails is an answer", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static WebhookTestJson ask(Receiver receiver, Webhook webhook, Notice notice) throws InterruptedException {
        long began = System.nanoTime();
        Receiver.Answer answer = receiver.post(webhook, notice);
        return new WebhookTestJson(
                webhook.id(),
                webhook.url().getRawAuthority(),
                answer.outcome().name().toLowerCase(Locale.ROOT),
                answer.words(),
                Duration.ofNanos(System.nanoTime() - began),
                notice.delivery(webhook));
    }
}
