package dev.holdfast.client;

import dev.holdfast.ClientConfig;
import dev.holdfast.internal.engine.machine.Machine;
import dev.holdfast.internal.engine.machine.ThreadMachine;
import dev.holdfast.internal.parts.Uninterruptibly;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * Requests about documents, one at a time: sent to whichever server answers, and waited for. What is called {@code interruptibly} ends
 * when its thread is interrupted; whether it changed anything is not known then. Safe for any thread.
 */
final class Calls implements AutoCloseable {
    /** State may be large, the line slow, and what is stopped or started may take its time. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Machine machine = new ThreadMachine("client");
    private final ServerTransport transport;
    private final Duration patience;

    Calls(ServerConfig servers, ClientConfig config) {
        this.patience = config.operationTimeout();
        this.transport = new ServerTransport(servers, machine, patience);
    }

    /** A call that changes nothing if it is repeated. */
    ServerReply send(String what, String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        return Uninterruptibly.answer(transport.send(ask(what, method, path, headers, body)));
    }

    ServerReply send(String what, String method, String path) {
        return send(what, method, path, Map.of(), Optional.empty());
    }

    ServerReply send(String what, String method, String path, byte[] body) {
        return send(what, method, path, Map.of(), Optional.of(body));
    }

    /** A look at what is there, which takes a server no time of its own. */
    ServerReply get(String what, String path) {
        return Uninterruptibly.answer(transport.send(document(what, "GET", path, Optional.empty())));
    }

    ServerReply getInterruptibly(String what, String path) throws InterruptedException {
        return interruptibly(document(what, "GET", path, Optional.empty()));
    }

    ServerReply sendInterruptibly(String what, String method, String path, Optional<byte[]> body)
            throws InterruptedException {
        return interruptibly(ask(what, method, path, Map.of(), body));
    }

    private ServerReply interruptibly(ServerRequest request) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(); // before anything is sent
        }
        RequestAttempts asked = transport.begin(request);
        try {
            return asked.told.get();
        } catch (InterruptedException e) {
            asked.abandon();
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e.getCause());
        }
    }

    /** A call that would do something again if it were repeated. */
    ServerReply once(String what, String method, String path, Optional<byte[]> body) {
        return once(what, method, path, Map.of(), body);
    }

    ServerReply once(String what, String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        return Uninterruptibly.answer(
                transport.send(ask(what, method, path, headers, body).as(ServerRequest.Kind.ONCE)));
    }

    private ServerRequest ask(
            String what, String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        Duration hold = method.equals("HEAD") ? Duration.ZERO : LONGEST; // that has no answer that would take time
        return document(what, method, path, body).with(headers).held(hold);
    }

    private ServerRequest document(String what, String method, String path, Optional<byte[]> body) {
        long deadline = machine.time().nanos() + patience.toNanos();
        return ServerRequest.of(what, method, path, body, deadline, patience).as(ServerRequest.Kind.DOCUMENT);
    }

    /** A part of a path. */
    static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        transport.close();
        machine.close();
    }
}
