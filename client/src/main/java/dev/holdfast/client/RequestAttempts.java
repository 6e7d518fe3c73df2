package dev.holdfast.client;

import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.Stages;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
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
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
    /** Whether a try may have been carried out without our hearing of it; guarded by this, as are the two below. */
    private boolean doubt;
    /** Whether a try is under way, which may arrive. */
    private boolean trying;
    /** Whether none may begin any more. */
    private boolean over;

    private volatile @Nullable CompletableFuture<?> underWay;
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
        boolean inLine = tries == 0; // until now: what nobody waits for any more is not begun
        if (left <= 0 && (inLine || !hasUnasked())) {
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
        if (!starts()) {
            transport.ended(this);
            return;
        }
        int index = transport.preferred();
        URI server = transport.servers().get(index);
        Duration patience = patience(left);
        HttpRequest.Builder http = transport.request(server, request.path()).timeout(patience.plus(request.transfer()));
        request.headers().forEach(http::header);
        request.body().ifPresent(body -> http.header("Content-Type", "application/json"));
        http.method(
                request.method(),
                request.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody));
        tries++;
        Anchor sent = Anchor.of(transport.machine().time());
        AtomicBoolean begun = new AtomicBoolean();
        CompletableFuture<HttpResponse<byte[]>> response = transport
                .http(request)
                .sendAsync(http.build(), info -> {
                    begun.set(true);
                    return BodySubscribers.ofByteArray();
                });
        underWay = response;
        if (over()) { // just now
            response.cancel(true);
        }
        Machine.Timer silence = silence(patience, begun, response);
        Stages.then(response, (answer, failure) -> {
            silence.cancel();
            if (answer == null) {
                failed(index, server, failure);
            } else {
                answered(index, server, answer, sent);
            }
        });
    }

    private synchronized boolean starts() {
        trying = !over;
        return trying;
    }

    private synchronized boolean over() {
        return over;
    }

    /** A server that takes the connection and says nothing is left for the next one; a document that has begun to come may take long. */
    private Machine.Timer silence(Duration patience, AtomicBoolean begun, CompletableFuture<?> response) {
        if (request.transfer().isZero()) {
            return () -> {}; // it must be here by then
        }
        return transport.machine().after(patience, () -> {
            if (!begun.get()) {
                response.cancel(true);
            }
        });
    }

    /** How long a try may last until its answer begins: several servers share the time. */
    private Duration patience(Duration left) {
        int servers = transport.servers().size();
        if (request.asksEachServer()) {
            Duration share = servers > 1 ? request.patience().dividedBy(2) : request.patience();
            Duration most = hasUnasked() ? share : least(share, left);
            return atLeast(LEAST_PATIENCE, most).plus(request.hold().dividedBy(servers));
        }
        if (!request.hold().isZero()) { // answered when its time is up, and that may take a moment too
            return request.patience().plus(request.hold());
        }
        return atLeast(LEAST_PATIENCE, least(request.patience(), servers > 1 ? left.dividedBy(2) : left));
    }

    static Duration least(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    static Duration atLeast(Duration least, Duration asked) {
        return asked.compareTo(least) < 0 ? least : asked;
    }

    /** Whether there is a server that has not been tried, and that is to be. */
    private boolean hasUnasked() {
        return request.asksEachServer() && tries < transport.servers().size();
    }

    // ---- what came of it

    private void answered(int index, URI server, HttpResponse<byte[]> response, Anchor sent) {
        try {
            Json.Obj body = body(response);
            ReplyMeaning meaning = ReplyMeaning.of(server, response, body, request);
            if (meaning.failure().isPresent()) {
                fail(certain(meaning.failure().get()));
            } else if (meaning.again().isPresent()) {
                tried(meaning.doubt());
                lastFailure = server + ": " + meaning.detail();
                turnedAway = true;
                transport.failed(index);
                later(meaning.again().get());
            } else if (told.complete(new ServerReply(
                    response.statusCode(), response.headers(), body, response.body(), sent, doubted()))) {
                transport.ended(this);
            }
        } catch (RuntimeException e) {
            fail(certain(e));
        }
    }

    /** A try is over that was not answered, or not for good. */
    private synchronized void tried(boolean mayHaveArrived) {
        doubt |= mayHaveArrived;
        trying = false;
    }

    private synchronized boolean doubted() {
        return doubt;
    }

    /** A refusal tells nothing about a try before it, whose answer was lost. What is wrong with a request was wrong then too. */
    private RuntimeException certain(RuntimeException refusal) {
        return refusal instanceof StoreException && doubted() && request.changes()
                ? new OutcomeUnknownException(
                        "It is not known whether " + request.what()
                                + " was done: the answer to one try was lost, and another one was refused ("
                                + refusal.getMessage() + "). Check before relying on either",
                        refusal)
                : refusal;
    }

    /** A document that was asked for may be anything, and large; what is said about one is an object. */
    private Json.Obj body(HttpResponse<byte[]> response) {
        boolean json = ServerReply.isJson(response.headers());
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
        tried(!ServerHttp.sentNothing(failure));
        lastFailure = server + ": " + words(failure);
        turnedAway = false;
        transport.failed(index);
        if (untrusted >= transport.servers().size()) {
            fail(certain(new StoreUnusableException(
                    "No safe connection to " + lastFailure + ". Check the certificate of the server, and which ones are"
                            + " trusted here (ca_file)",
                    failure)));
            return;
        }
        boolean nextServer = tries % transport.servers().size() != 0;
        later(nextServer ? Duration.ZERO : pause());
    }

    private Duration pause() {
        int cycles = Math.min(tries / transport.servers().size(), 6);
        Duration pause = FIRST_PAUSE.multipliedBy(1L << cycles);
        Duration most = least(pause, LONGEST_PAUSE);
        long jitter = Math.floorMod(transport.machine().random(), Math.max(1, most.toNanos() / 2));
        return most.minusNanos(jitter);
    }

    private void later(Duration pause) {
        long left = request.deadline() - transport.machine().time().nanos();
        boolean tooLate = left <= pause.toNanos() && !hasUnasked();
        if (transport.isClosed()) {
            close();
        } else if (tooLate || (doubted() && request.kind() == ServerRequest.Kind.ONCE)) {
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
                doubted() && request.changes()
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

    /** The client is closed: nothing more is sent, and no answer is waited for. What was sent may have been done. */
    void close() {
        boolean mayHaveArrived;
        synchronized (this) {
            over = true;
            mayHaveArrived = doubt || trying;
        }
        fail(
                mayHaveArrived && request.changes()
                        ? new OutcomeUnknownException(
                                "The client of " + transport.servers().get(0) + " was closed before "
                                        + request.what()
                                        + " was answered. It may or may not have been done: check before relying on"
                                        + " either",
                                null)
                        : transport.closedException());
        cutOff();
    }

    /** Nobody waits for it any more. What was sent may be done all the same. */
    void abandon() {
        synchronized (this) {
            over = true;
        }
        fail(new CancellationException(request.what() + " is no longer waited for"));
        cutOff();
    }

    private void cutOff() {
        CompletableFuture<?> asked = underWay;
        if (asked != null) {
            asked.cancel(true);
        }
    }

    void fail(RuntimeException failure) {
        if (told.completeExceptionally(failure)) {
            transport.ended(this);
        }
    }

    private static String words(@Nullable Throwable failure) {
        if (failure instanceof HttpTimeoutException || failure instanceof CancellationException) {
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
