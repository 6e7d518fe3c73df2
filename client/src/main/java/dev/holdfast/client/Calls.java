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

/** Requests about documents, one at a time: sent to whichever server answers, and waited for. Safe for any thread. */
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
        return Uninterruptibly.answer(
                transport.send(ask(what, method, path, headers, body, ServerRequest.Kind.DOCUMENT)));
    }

    ServerReply send(String what, String method, String path) {
        return send(what, method, path, Map.of(), Optional.empty());
    }

    ServerReply send(String what, String method, String path, byte[] body) {
        return send(what, method, path, Map.of(), Optional.of(body));
    }

    ServerReply get(String what, String path) {
        return send(what, "GET", path);
    }

    /** A call that would do something again if it were repeated. */
    ServerReply once(String what, String method, String path, Optional<byte[]> body) {
        return once(what, method, path, Map.of(), body);
    }

    ServerReply once(String what, String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        return Uninterruptibly.answer(transport.send(ask(what, method, path, headers, body, ServerRequest.Kind.ONCE)));
    }

    private ServerRequest ask(
            String what,
            String method,
            String path,
            Map<String, String> headers,
            Optional<byte[]> body,
            ServerRequest.Kind kind) {
        long deadline = machine.time().nanos() + patience.toNanos();
        return new ServerRequest(what, method, path, headers, body, deadline, LONGEST, patience, kind);
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
