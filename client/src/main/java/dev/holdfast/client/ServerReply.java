package dev.holdfast.client;

import dev.holdfast.spi.time.Anchor;
import dev.holdfast.wire.ProblemJson;
import dev.holdfast.wire.json.Json;
import java.net.http.HttpHeaders;
import java.time.Duration;

/**
 * An answer that says something about a lock.
 *
 * @param status its code: 2xx, 409, 423, or 429 for a full queue; of documents also what they may be refused with
 * @param body of it, where that is an object about the request; of a document that was asked for, an empty one
 * @param sent not after the request that it answers was sent
 * @param doubted whether the same request may have been carried out before, its answer lost
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ServerReply(int status, HttpHeaders headers, Json.Obj body, byte[] bytes, Anchor sent, boolean doubted) {
    ProblemJson problem() {
        return ProblemJson.read(status, body);
    }

    /** Whether a server of ours can have sent it: what stands between may answer with a page of its own. */
    boolean isJson() {
        return isJson(headers);
    }

    static boolean isJson(HttpHeaders headers) {
        return headers.firstValue("Content-Type").orElse("").contains("json");
    }

    long header(String name) {
        return headers.firstValueAsLong(name).orElse(0);
    }

    /** Of a long time on the server's clock, this part may not have passed here: as much as a lease leaves out. */
    private static final int DRIFT = 200;

    /** The moment that is this much later on the server than the arrival of the request: not before it here. */
    Anchor after(long millis) {
        Duration later = Duration.ofMillis(millis - (millis + DRIFT - 1) / DRIFT);
        return new Anchor(sent.nanos() + later.toNanos(), sent.wall().plus(later));
    }
}
