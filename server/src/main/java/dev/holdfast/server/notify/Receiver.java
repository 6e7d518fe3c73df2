package dev.holdfast.server.notify;

import dev.holdfast.internal.parts.DaemonThreads;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends one delivery at a time to a receiver, and says what it answered. Redirects are not followed: what is told is for the address
 * that was configured. What a receiver writes in its answer is not kept. Safe for any thread.
 */
final class Receiver implements AutoCloseable {
    /** A receiver that asks for more patience than this is tried all the same. */
    private static final long MAX_RETRY_AFTER = Duration.ofMinutes(5).toSeconds();

    private static final Set<Integer> PASSING = Set.of(408, 409, 425, 429);

    private final Duration timeout;
    private final Clock clock;
    private final ExecutorService threads =
            Executors.newCachedThreadPool(DaemonThreads.numbered("holdfast-notify-http"));
    private final HttpClient client;

    /** @param timeout for one delivery, from connecting to the end of the answer */
    Receiver(Duration timeout, Clock clock) {
        this.timeout = timeout;
        this.clock = clock;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(timeout)
                .executor(threads)
                .build();
    }

    enum Outcome {
        TAKEN,
        /** The receiver does not want it: patience alone does not help. */
        REFUSED,
        /** There was no answer, or one that may be another next time. */
        FAILED
    }

    /**
     * @param words what was wrong, for people; nothing of the address and of the answer's text
     * @param retryAfter how long the receiver asks to wait
     */
    record Answer(Outcome outcome, String words, Optional<Duration> retryAfter) {
        static Answer failed(String words) {
            return new Answer(Outcome.FAILED, words, Optional.empty());
        }
    }

    Answer post(Webhook to, Notice notice) throws InterruptedException {
        byte[] body = NoticeBody.of(notice, to);
        HttpRequest.Builder request = HttpRequest.newBuilder(to.url())
                .timeout(timeout)
                .header("Content-Type", "application/json")
                .header("User-Agent", "holdfast")
                .header("Holdfast-Event", notice.label())
                .header("Holdfast-Delivery", notice.delivery(to))
                .POST(BodyPublishers.ofByteArray(body));
        to.secret()
                .ifPresent(secret ->
                        request.header("Holdfast-Signature", DeliverySignature.of(secret, clock.instant(), body)));
        CompletableFuture<HttpResponse<Void>> call = client.sendAsync(request.build(), BodyHandlers.discarding());
        try {
            return answer(call.get(timeout.toNanos(), TimeUnit.NANOSECONDS));
        } catch (TimeoutException e) {
            return Answer.failed("no answer within " + NoticeWords.brief(timeout));
        } catch (ExecutionException e) {
            return Answer.failed(words(e.getCause() == null ? e : e.getCause()));
        } finally {
            call.cancel(true); // ends the connection of a receiver that is slow
        }
    }

    private static Answer answer(HttpResponse<Void> response) {
        int status = response.statusCode();
        String words = "HTTP " + status + (status / 100 == 3 ? ", a redirect, which is not followed" : "");
        return new Answer(outcome(status), words, retryAfter(response));
    }

    private static Outcome outcome(int status) {
        if (status / 100 == 2) {
            return Outcome.TAKEN;
        }
        // Too late, in conflict with another one, too early, too often: those pass.
        boolean passes = status >= 500 || PASSING.contains(status);
        return passes ? Outcome.FAILED : Outcome.REFUSED;
    }

    private static Optional<Duration> retryAfter(HttpResponse<Void> response) {
        return response.headers()
                .firstValue("Retry-After")
                .filter(text -> text.matches("[0-9]{1,9}"))
                .map(text -> Duration.ofSeconds(Math.min(Long.parseLong(text), MAX_RETRY_AFTER)));
    }

    /** The kind of failure, and not its message: some tell the whole address. */
    private static String words(Throwable failure) {
        return failure instanceof HttpTimeoutException
                ? "no answer in time"
                : "it cannot be reached (" + failure.getClass().getSimpleName() + ")";
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
