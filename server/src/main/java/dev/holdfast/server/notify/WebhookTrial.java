package dev.holdfast.server.notify;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.internal.parts.DaemonThreads;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
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
     * What came of it at one webhook.
     *
     * @param host where it is; the rest of its address may be a secret
     * @param outcome {@code taken}, {@code refused} or {@code failed}
     * @param detail what was answered, for people; nothing of the answer's text
     * @param delivery the id that was sent along
     */
    public record Result(String id, String host, String outcome, String detail, Duration took, String delivery) {}

    /**
     * Asks all of them at the same time, so that it takes no longer than one of them may.
     *
     * @param timeout for each
     */
    public static List<Result> of(List<Webhook> webhooks, String asker, Duration timeout) throws InterruptedException {
        TestNotice notice = new TestNotice(
                asker, Clock.systemUTC().instant(), UUID.randomUUID().toString());
        ExecutorService threads = Executors.newCachedThreadPool(DaemonThreads.numbered("holdfast-notify-test"));
        try (Receiver receiver = new Receiver(timeout, Clock.systemUTC())) {
            List<Callable<Result>> questions = new ArrayList<>();
            webhooks.forEach(webhook -> questions.add(() -> ask(receiver, webhook, notice)));
            List<Result> results = new ArrayList<>();
            for (Future<Result> answer : threads.invokeAll(questions)) {
                results.add(answer.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a receiver that fails is an answer", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private static Result ask(Receiver receiver, Webhook webhook, TestNotice notice) throws InterruptedException {
        long began = System.nanoTime();
        Receiver.Answer answer = receiver.post(webhook, notice);
        return new Result(
                webhook.id(),
                webhook.url().getRawAuthority(),
                label(answer.outcome()),
                answer.words(),
                Duration.ofNanos(System.nanoTime() - began),
                notice.delivery(webhook));
    }

    /** Writes the members of an answer: {@code "items":[…]}. */
    public static void write(JsonGenerator json, List<Result> results) throws IOException {
        JsonText.objects(json, "items", results, (out, one) -> {
            out.writeStringField("webhook", one.id());
            out.writeStringField("host", one.host());
            out.writeStringField("outcome", one.outcome());
            out.writeStringField("detail", one.detail());
            out.writeNumberField("took_ms", one.took().toMillis());
            out.writeStringField("delivery_id", one.delivery());
        });
    }

    private static String label(Receiver.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT);
    }
}
