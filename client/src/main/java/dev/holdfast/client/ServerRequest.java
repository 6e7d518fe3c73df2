package dev.holdfast.client;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request, and how long to try. Each may be sent twice, since acts carry the lease id they are about; but for those that are
 * {@code once}.
 *
 * @param what it does, for messages
 * @param path where, with the query
 * @param deadline local time until which failures are bridged
 * @param hold how long the server may take before it answers, besides the time any answer takes
 * @param patience how long one try may take; a line that went silent is then given up for a new one
 */
record ServerRequest(
        String what,
        String method,
        String path,
        Map<String, String> headers,
        Optional<byte[]> body,
        long deadline,
        Duration hold,
        Duration patience,
        Kind kind) {
    enum Kind {
        /** About locks; many share a connection. */
        USUAL,
        /** Before all others: leases end while it waits in line. */
        URGENT,
        /** About locks too, and long at the server. */
        LENGTHY,
        /** About state or guard: its asker judges also what is missing or cannot be kept. */
        DOCUMENT,
        /** The same, and never sent again once it may have arrived. */
        ONCE
    }

    /** Documents may be large, and the line slow. */
    private static final Duration LONGEST_TRANSFER = Duration.ofMinutes(2);

    /** About locks, and answered at once. */
    static ServerRequest of(
            String what, String method, String path, Optional<byte[]> body, long deadline, Duration patience) {
        return new ServerRequest(what, method, path, Map.of(), body, deadline, Duration.ZERO, patience, Kind.USUAL);
    }

    ServerRequest with(Map<String, String> more) {
        return new ServerRequest(what, method, path, more, body, deadline, hold, patience, kind);
    }

    /** The same, which the server may keep this long. */
    ServerRequest held(Duration time) {
        return new ServerRequest(what, method, path, headers, body, deadline, time, patience, kind);
    }

    ServerRequest as(Kind other) {
        return new ServerRequest(what, method, path, headers, body, deadline, hold, patience, other);
    }

    /** Whether it counts among those that share a connection, and waits when there are many. */
    boolean takesTurn() {
        return isShort() && kind != Kind.URGENT;
    }

    /** Neither kept by the server nor answered with a document, which may be long on its way. */
    boolean isShort() {
        return hold.isZero() && transfer().isZero();
    }

    /**
     * Whether each server has one try, also after the deadline: the first one that says nothing may take all the time until then. What is
     * parked is not among these, since its asker sends it anew with the time that is left.
     */
    boolean asksEachServer() {
        return kind == Kind.DOCUMENT || kind == Kind.LENGTHY;
    }

    /** How long an answer may take to arrive once it has begun, besides the time until then. */
    Duration transfer() {
        return isAboutDocuments() && !changes() ? LONGEST_TRANSFER : Duration.ZERO;
    }

    boolean changes() {
        return !method.equals("GET") && !method.equals("HEAD");
    }

    /** Whether its answer is judged by the asker also when it is none about a lock. */
    boolean isAboutDocuments() {
        return kind == Kind.DOCUMENT || kind == Kind.ONCE;
    }
}
