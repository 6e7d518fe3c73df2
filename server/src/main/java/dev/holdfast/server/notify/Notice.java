package dev.holdfast.server.notify;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Digest;
import java.io.IOException;
import java.time.Instant;

/** Something to tell. */
sealed interface Notice permits EventNotice, LongWait, TestNotice {
    String label();

    RecordKey key();

    /** Since when it could be told. */
    Instant at();

    /** The same for the same thing, whoever tells it and however often; no two things have the same. */
    String identity();

    void write(JsonGenerator json) throws IOException;

    /** The same without what callers may write at length. */
    Notice shortened();

    /** For people: a sentence without a full stop, not escaped. */
    String sentence();

    /** The id of its delivery to this webhook, by which a receiver knows a second one. */
    default String delivery(Webhook to) {
        String all = to.id() + "\n" + label() + "\n" + key() + "\n" + identity();
        return Digest.of(all).hex().substring(0, 32);
    }
}
