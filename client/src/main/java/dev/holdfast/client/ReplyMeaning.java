package dev.holdfast.client;

import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.ProblemJson;
import dev.holdfast.wire.json.Json;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/**
 * What a response means for the request: an answer, a failure for good, or a reason to try again.
 *
 * @param failure why trying again would not help; empty otherwise
 * @param again when to try again; empty if it is an answer or a failure
 * @param doubt whether the request may have been carried out though it is tried again
 * @param detail what the server said, where it is tried again
 */
record ReplyMeaning(Optional<RuntimeException> failure, Optional<Duration> again, boolean doubt, String detail) {
    private static final Duration SOON = Duration.ofMillis(100);
    private static final Duration LATE = Duration.ofSeconds(5);

    static ReplyMeaning of(URI server, HttpResponse<byte[]> response, Json.Obj body, ServerRequest request) {
        int status = response.statusCode();
        ProblemJson problem = ProblemJson.read(status, body);
        String code = problem.code();
        String detail = problem.detail();
        // A proxy may say 409 or 423 too, for reasons of its own: only with a code of ours is it about the lock.
        boolean ours = !code.isEmpty() && (status == 409 || status == 423);
        boolean document = request.isAboutDocuments() && isAboutDocument(request, status, code, body);
        if (document || status < 300 || ours || code.equals("too-many-waiters")) {
            return new ReplyMeaning(Optional.empty(), Optional.empty(), false, "");
        }
        return switch (problem.meaning()) {
            case ACCESS_REFUSED ->
                failed(new AccessRefusedException(server + " refused " + request.what() + ": " + detail, null));
            case UNUSABLE ->
                switch (status) {
                    case 421 -> unusable(server + " does not answer to that name: " + detail);
                    case 501 -> unusable(server + ": " + detail);
                    default -> unusable(server + " cannot use its store: " + detail);
                };
            case OUTCOME_UNKNOWN -> again(pause(response), true, detail);
            case UNAVAILABLE ->
                switch (status) {
                    case 500, 502, 504 -> again(SOON, true, detail);
                    default ->
                        code.equals("guard-off")
                                ? failed(new StoreUnavailableException(server + ": " + detail, null))
                                : again(pause(response), false, detail);
                };
            case REQUEST_REFUSED ->
                switch (status) {
                    case 400, 413, 415, 422 -> failed(new IllegalArgumentException(detail));
                    default ->
                        unusable(server + " answered " + status + " to " + request.what()
                                + "; is this the address of a Holdfast server, of this version or newer?");
                };
        };
    }

    private static ReplyMeaning unusable(String why) {
        return failed(new StoreUnusableException(why, null));
    }

    /** There is none, it cannot be kept or read, or another holds it: whom terraform is told of by its LockInfo alone. */
    private static boolean isAboutDocument(ServerRequest request, int status, String code, Json.Obj body) {
        return switch (status) {
            case 404 -> !code.isEmpty() || request.method().equals("HEAD");
            case 400 -> code.equals("invalid-state") || code.equals("invalid-request");
            case 413, 422, 428 -> !code.isEmpty();
            case 423 -> body.text("ID").isPresent();
            case 500 -> code.equals("state-corrupt") || request.method().equals("HEAD");
            default -> false;
        };
    }

    private static ReplyMeaning failed(RuntimeException failure) {
        return new ReplyMeaning(Optional.of(failure), Optional.empty(), false, "");
    }

    private static ReplyMeaning again(Duration pause, boolean doubt, String detail) {
        return new ReplyMeaning(Optional.empty(), Optional.of(pause), doubt, detail);
    }

    private static Duration pause(HttpResponse<byte[]> response) {
        long seconds = response.headers()
                .firstValue("Retry-After")
                .map(ReplyMeaning::seconds)
                .orElse(0L);
        Duration asked = Duration.ofSeconds(seconds);
        return asked.compareTo(LATE) > 0 ? LATE : asked.compareTo(SOON) < 0 ? SOON : asked;
    }

    private static long seconds(String text) {
        try {
            return Math.min(Long.parseLong(text), LATE.toSeconds());
        } catch (NumberFormatException e) {
            return 1; // a date; soon enough
        }
    }
}
