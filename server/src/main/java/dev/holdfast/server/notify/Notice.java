package dev.holdfast.server.notify;

import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.wire.json.JsonText;
import java.time.Instant;

/**
 * Something to tell.
 *
 * @param at since when it could be told
 * @param identity the same for the same thing, whoever tells it and however often; no two things have the same
 * @param sentence for people, without a full stop, not escaped
 * @param shortened the same fields without what callers may write at length
 */
record Notice(
        String label,
        RecordKey key,
        Instant at,
        String identity,
        String sentence,
        JsonText.Part fields,
        JsonText.Part shortened) {
    /** The id of its delivery to this webhook, by which a receiver knows a second one. */
    String delivery(Webhook to) {
        String all = to.id() + "\n" + label + "\n" + key + "\n" + identity;
        return Digest.of(all).hex().substring(0, 32);
    }
}
