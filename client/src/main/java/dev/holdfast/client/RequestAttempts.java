package dev.holdfast.client;

import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.time.Anchor;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.json.Json;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One request on its way: tried at one server after the other until one answers or time is up. */
final class RequestAttempts {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);
    /** No try is given less: a new connection takes several round trips. */
    private static final Duration LEAST_PATIENCE = Duration.ofMillis(250);

    final ServerRequest request;
    final CompletableFuture<ServerReply> told = new CompletableFuture<>();
    /** Whether it is one of those that may be under way at once; guarded by the line of the transport. */
    boolean hasTurn;

    private final ServerTransport transport;
    private int tries;
    /** Whether a try may have been carried out without our hearing of it. */
    private boolean doubt;
    /** How many servers in a row could not be trusted. */
    private int untrusted;

    private String lastFailure = "the time was up before it could be asked";
    private boolean turnedAway; // by the last server that was asked: it is there

    RequestAttempts(ServerTransport transport, ServerRequest request) {
        this.transport = transport;
        this.request = request;
    }

    void begin() {
        if (told.isDone()) {
            transport.ended(this);
            return;
        }
        long left = request.deadline() - transport.machine().time().nanos();
        if (left <= 0) { // perhaps while it stood in line: what nobody waits for any more is not begun
            giveUp();
            return;
        }
        try {
            send(Duration.ofNanos(left));
        } catch (RuntimeException e) { // a request that cannot even be made
            fail(e);
        }
    }

    private void send(Duration left) {
        int index = transport.preferred();
        URI server = transport.servers().get(index);
        Duration patience = patience(left);
        HttpRequest.Builder http = transport.request(server, request.path()).timeout(patience.plus(request.hold()));
        request.headers().forEach(http::header);
        request.body().ifPresent(body -> http.header("Content-Type", "application/json"));
        http.method(
                request.method(),
                request.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        tries++;
        Anchor sent = Anchor.of(transport.machine().time());
        CompletableFuture<HttpResponse<byte[]>> response =
                transport.http(request).sendAsync(http.build(), BodyHandlers.ofByteArray());
        Stages.then(response, (answer, failure) -> {
            if (answer == null) {
                failed(index, server, failure);
            } else {
                answered(index, server, answer, sent);
            }
        });
    }

    /** Several servers share the time. A parked request is answered when its time is up, and that may take a moment too. */
    private Duration patience(Duration left) {
        if (!request.hold().isZero()) {
            return request.patience();
        }
        Duration share = transport.servers().size() > 1 ? left.dividedBy(2) : left;
        Duration most = share.compareTo(request.patience()) < 0 ? share : request.patience();
        return most.compareTo(LEAST_PATIENCE) < 0 ? LEAST_PATIENCE : most;
    }

    // ---- what came of it

    private void answered(int index, URI server, HttpResponse<byte[]> response, Anchor sent) {
        try {
            Json.Obj body = body(response);
            ReplyMeaning meaning = ReplyMeaning.of(server, response, body, request);
            if (meaning.failure().isPresent()) {
                fail(meaning.failure().get());
            } else if (meaning.again().isPresent()) {
                doubt |= meaning.doubt();
                lastFailure = server + ": " + meaning.detail();
                turnedAway = true;
                transport.failed(index);
                later(meaning.again().get());
            } else if (told.complete(
                    new ServerReply(response.statusCode(), response.headers(), body, response.body(), sent, doubt))) {
                transport.ended(this);
            }
        } catch (RuntimeException e) {
            fail(e);
        }
    }

    /** A document that was asked for may be anything, and large; what is said about one is an object. */
    private Json.Obj body(HttpResponse<byte[]> response) {
        boolean json = response.headers().firstValue("Content-Type").orElse("").contains("json");
        boolean document = request.isAboutDocuments()
                && !request.changes()
                && response.headers().firstValue("ETag").isPresent();
        if (!json || document || response.body().length == 0) {
            return Json.object();
        }
        return AnswerFields.of(response.body());
    }

    private void failed(int index, URI server, @Nullable Throwable failure) {
        untrusted = ServerHttp.isUnsafe(failure) ? untrusted + 1 : 0;
        doubt |= !ServerHttp.sentNothing(failure);
        lastFailure = server + ": " + words(failure);
        turnedAway = false;
        transport.failed(index);
        if (untrusted >= transport.servers().size()) {
            fail(new StoreUnusableException(
                    "No safe connection to " + lastFailure + ". Check the certificate of the server, and which ones are"
                            + " trusted here (ca_file)",
                    failure));
            return;
        }
        boolean nextServer = tries % transport.servers().size() != 0;
        later(nextServer ? Duration.ZERO : pause());
    }

    private Duration pause() {
        int cycles = Math.min(tries / transport.servers().size(), 6);
        Duration pause = FIRST_PAUSE.multipliedBy(1L << cycles);
        Duration most = pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
        long jitter = Math.floorMod(transport.machine().random(), Math.max(1, most.toNanos() / 2));
        return most.minusNanos(jitter);
    }

    private void later(Duration pause) {
        long left = request.deadline() - transport.machine().time().nanos();
        if (left <= pause.toNanos() || (doubt && request.kind() == ServerRequest.Kind.ONCE)) {
            giveUp();
        } else {
            transport.machine().after(pause, this::begin);
        }
    }

    private void giveUp() {
        String how = "No Holdfast server " + (turnedAway ? "served " : "answered ") + request.what() + " (" + tries
                + " tries; " + lastFailure + "). ";
        String health = transport.servers().get(0) + "/health/ready";
        fail(
                doubt && request.changes()
                        ? new OutcomeUnknownException(
                                how + "It may or may not have been done: check before relying on either", null)
                        : new StoreUnavailableException(
                                how
                                        + (turnedAway
                                                ? "Nothing was changed. Try again later; to check its state: "
                                                : "Nothing was changed. Check the address, and whether it runs: ")
                                        + health,
                                null));
    }

    void fail(RuntimeException failure) {
        if (told.completeExceptionally(failure)) {
            transport.ended(this);
        }
    }

    private static String words(@Nullable Throwable failure) {
        if (failure instanceof HttpTimeoutException) {
            return "no answer in time";
        }
        if (failure instanceof ConnectException none) {
            return ServerHttp.why(none);
        }
        String message =
                failure == null || failure.getMessage() == null ? String.valueOf(failure) : failure.getMessage();
        boolean closed =
                Stream.of("received no bytes", "EOF", "reset", "Broken pipe").anyMatch(message::contains);
        return closed ? "the connection was closed before an answer came" : message;
    }
}
