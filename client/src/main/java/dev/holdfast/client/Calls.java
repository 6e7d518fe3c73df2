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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Requests about documents, one at a time: sent to whichever server answers, and waited for. Safe for any thread. */
final class Calls implements AutoCloseable {
    /** State may be large, the line slow, and what is stopped or started may take its time. */
    private static final Duration LONGEST = Duration.ofMinutes(2);

    private final Machine machine = new ThreadMachine("client");
    private final Wire wire;
    private final Duration patience;

    Calls(ServerConfig servers, ClientConfig config) {
        this.patience = config.operationTimeout();
        this.wire = new Wire(servers, machine, patience);
    }

    /** A call that changes nothing if it is repeated. */
    ServerReply send(String what, String method, String path, Map<String, String> headers, Optional<byte[]> body) {
        return waited(wire.send(ask(what, method, path, headers, body, Ask.Kind.DOCUMENT)));
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
        return waited(wire.send(ask(what, method, path, headers, body, Ask.Kind.ONCE)));
    }

    private Ask ask(
            String what,
            String method,
            String path,
            Map<String, String> headers,
            Optional<byte[]> body,
            Ask.Kind kind) {
        long deadline = machine.time().nanos() + patience.toNanos();
        return new Ask(what, method, path, headers, body, deadline, LONGEST, patience, kind);
    }

    /** A part of a path. */
    static String escaped(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** An interrupt stays set; what was asked goes on, and its answer comes in bounded time. */
    private static ServerReply waited(CompletableFuture<ServerReply> answer) {
        try {
            return Uninterruptibly.get(answer);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        wire.close();
        machine.close();
    }
}
