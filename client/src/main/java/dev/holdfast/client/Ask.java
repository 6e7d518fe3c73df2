package dev.holdfast.client;

import java.time.Duration;
import java.util.Optional;

/**
 * A request, and how long to try. Every one of them may be sent twice: acts carry the lease id they are about.
 *
 * @param what it does, for messages
 * @param path where, with the query
 * @param body what is sent; a read if there is none
 * @param deadline local time until which failures are bridged
 * @param hold how long the server may take before it answers, besides the time any answer takes
 * @param patience how long one try may take; a line that went silent is then given up for a new one
 * @param urgent whether it stands in no line here: leases end while it does
 */
record Ask(
        String what,
        String path,
        Optional<byte[]> body,
        long deadline,
        Duration hold,
        Duration patience,
        boolean urgent) {
    /** A request that is answered at once. */
    static Ask post(String what, String path, byte[] body, long deadline, Duration patience) {
        return new Ask(what, path, Optional.of(body), deadline, Duration.ZERO, patience, false);
    }

    /** As {@link #post}, before all others. */
    static Ask urgent(String what, String path, byte[] body, long deadline, Duration patience) {
        return new Ask(what, path, Optional.of(body), deadline, Duration.ZERO, patience, true);
    }

    /** A look. */
    static Ask get(String what, String path, long deadline, Duration patience) {
        return new Ask(what, path, Optional.empty(), deadline, Duration.ZERO, patience, false);
    }

    /** Whether it counts among those that share a connection, and waits when there are many. */
    boolean takesTurn() {
        return hold.isZero() && !urgent;
    }

    boolean changes() {
        return body.isPresent();
    }
}
