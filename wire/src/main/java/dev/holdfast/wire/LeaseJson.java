package dev.holdfast.wire;

import static dev.holdfast.wire.AnswerFields.number;
import static dev.holdfast.wire.AnswerFields.text;
import static dev.holdfast.wire.AnswerFields.time;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.internal.engine.Request;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What holders and servers say to each other: taking, renewing and ending leases. Requests are only written here; the server reads them
 * field by field, since it tells all that is wrong with one.
 */
public final class LeaseJson {
    private LeaseJson() {}

    // ---- requests

    /** {@code POST /v2/locks/acquire}. */
    public static byte[] acquire(Request request, Duration wait) {
        return JsonText.object(json -> {
            LockJson.key(json, request.key());
            List<LockPath> paths = request.scope().paths();
            if (paths.size() == 1) {
                json.writeStringField("path", paths.get(0).value());
            } else {
                JsonText.values(json, "paths", paths, (out, path) -> out.writeString(path.value()));
            }
            LockJson.mode(json, request.scope().mode());
            json.writeStringField("owner", request.owner());
            json.writeStringField("lease_id", request.leaseId().value());
            json.writeNumberField("lease_ms", request.terms().lease().toMillis());
            json.writeNumberField("renew_every_ms", request.terms().renewEvery().toMillis());
            json.writeNumberField("min_hold_ms", request.terms().minHold().toMillis());
            json.writeNumberField("wait_ms", wait.toMillis());
            LockJson.texts(json, "metadata", request.terms().metadata());
            json.writeStringField("reason", request.terms().reason());
        });
    }

    /** {@code POST /v2/locks/renew} or {@code release} of one lease, and how. */
    public static byte[] lease(RecordKey key, LeaseId leaseId, JsonText.Part how) {
        return leases(json -> lease(json, key, leaseId, how));
    }

    /** The same for several, each written by {@link #lease(JsonGenerator, RecordKey, LeaseId, JsonText.Part)}. */
    public static byte[] leases(JsonText.Part all) {
        return JsonText.object(json -> {
            json.writeArrayFieldStart("leases");
            all.write(json);
            json.writeEndArray();
        });
    }

    /** One lease of a request. */
    public static void lease(JsonGenerator json, RecordKey key, LeaseId leaseId, JsonText.Part how) throws IOException {
        json.writeStartObject();
        LockJson.key(json, key);
        json.writeStringField("lease_id", leaseId.value());
        how.write(json);
        json.writeEndObject();
    }

    /** {@code POST /v2/locks/force-unlock}. */
    public static byte[] force(RecordKey key, Token expected, String reason) {
        return JsonText.object(json -> {
            LockJson.key(json, key);
            json.writeNumberField("fencing_token", expected.value());
            json.writeStringField("reason", reason);
        });
    }

    // ---- what was granted

    /** The fields of a lease, for its holder. */
    public static void granted(JsonGenerator json, RecordKey key, Hold hold) throws IOException {
        LockJson.key(json, key);
        LockJson.paths(json, hold.scope().paths());
        json.writeStringField("mode", hold.scope().mode().label());
        json.writeStringField("owner", hold.owner());
        json.writeStringField("lease_id", hold.leaseId().value());
        json.writeNumberField("fencing_token", hold.token().value());
        json.writeStringField("granted_at", Rfc3339.text(hold.grantedAt()));
        json.writeStringField("expires_at", Rfc3339.text(hold.expiresAt()));
        json.writeNumberField("lease_ms", hold.terms().lease().toMillis());
    }

    /** Reads {@link #granted}; what the server does not tell of it is as it was asked for. */
    public static Hold granted(Request asked, Json.Obj from, Instant confirmed) {
        return new Hold(
                asked.leaseId(),
                asked.scope(),
                asked.owner(),
                new Token(number(from, "fencing_token")),
                time(from, "granted_at"),
                confirmed,
                time(from, "expires_at"),
                asked.terms().withLease(Duration.ofMillis(number(from, "lease_ms"))),
                Hold.Phase.HELD,
                Optional.empty(),
                false);
    }

    // ---- what became of a lease

    /** One of the {@code results} of renewing or releasing. */
    public static void result(JsonGenerator json, LeaseId leaseId, String outcome, JsonText.Part more)
            throws IOException {
        json.writeStartObject();
        json.writeStringField("lease_id", leaseId.value());
        json.writeStringField("outcome", outcome);
        more.write(json);
        json.writeEndObject();
    }

    /** A header and its value by which a renewal asks for who holds; servers that do not know it leave it out. */
    public static final String PREFER = "Prefer";

    public static final String WHOLE_ANSWER = "return=representation";

    /** The same as {@link #renewed}, and who holds, for whoever knows no more of it than the lease id. */
    public static void renewedWhole(JsonGenerator json, Hold hold) throws IOException {
        renewed(json, hold);
        json.writeFieldName("holder");
        LockJson.hold(json, hold);
    }

    /** Reads who holds from {@link #renewedWhole}; empty from {@link #renewed}. */
    public static Optional<Holder> holder(Json.Obj from, RecordKey key) {
        return from.object("holder").map(it -> LockJson.holder(it, key));
    }

    /** How long a lease goes on that was renewed. */
    public static void renewed(JsonGenerator json, Hold hold) throws IOException {
        json.writeStringField("expires_at", Rfc3339.text(hold.expiresAt()));
        json.writeNumberField("lease_ms", hold.terms().lease().toMillis());
        json.writeNumberField("fencing_token", hold.token().value());
    }

    /** Reads {@link #renewed}. What counts is what the server keeps: somebody may have renewed it for another length, by its id. */
    public static Hold renewed(Hold before, Json.Obj from) {
        var terms = before.terms()
                .withLease(from.number("lease_ms")
                        .map(Duration::ofMillis)
                        .orElse(before.terms().lease()));
        Instant end = time(from, "expires_at");
        return before.claimed(terms, end.minus(terms.lease()), end);
    }

    public static String outcome(Json.Obj from) {
        return text(from, "outcome");
    }

    public static String label(LostReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }

    /** Reads the {@link #label} in {@code reason}; unknown for a word of a newer server. */
    public static LostReason reason(Json.Obj from) {
        return reason(from.text("reason").orElse(""));
    }

    /** Reads a {@link #label}; unknown for a word of a newer server. */
    public static LostReason reason(String label) {
        return Stream.of(LostReason.values())
                .filter(reason -> label(reason).equals(label))
                .findFirst()
                .orElse(LostReason.UNKNOWN);
    }
}
