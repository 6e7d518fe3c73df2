package dev.holdfast.server.routes;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Times;
import dev.holdfast.server.http.JsonText;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** How locks are shown: the one place that knows the names of their fields. Lease ids are shown only to whom they belong. */
public final class LockJson {
    /** A lock is often given back before its lease ends, so nobody is sent away for long. */
    private static final Duration MAX_RETRY = Duration.ofSeconds(5);

    private static final Duration MIN_RETRY = Duration.ofMillis(100);

    private LockJson() {}

    /** The fields of a lease, for its holder. */
    static void lease(JsonGenerator json, LockRecord record, Hold hold) throws IOException {
        json.writeStringField("namespace", record.key().namespace());
        json.writeStringField("name", record.key().name());
        paths(json, hold.scope().paths());
        json.writeStringField("mode", hold.scope().mode().label());
        json.writeStringField("owner", hold.owner());
        json.writeStringField("lease_id", hold.leaseId().value());
        json.writeNumberField("fencing_token", hold.token().value());
        json.writeStringField("granted_at", JsonText.time(hold.grantedAt()));
        json.writeStringField("expires_at", JsonText.time(hold.expiresAt()));
        json.writeNumberField("lease_ms", hold.terms().lease().toMillis());
    }

    /** The last completed once-only work, if there was any. */
    static void done(JsonGenerator json, Optional<Done> done) throws IOException {
        if (done.isPresent()) {
            json.writeObjectFieldStart("done");
            json.writeStringField("generation", done.get().generation());
            json.writeStringField("by", done.get().by());
            json.writeNumberField("fencing_token", done.get().token().value());
            json.writeStringField("at", JsonText.time(done.get().at()));
            json.writeEndObject();
        }
    }

    /** A list of those in the way. */
    static JsonText.Part holds(List<Hold> holds) {
        return json -> {
            json.writeStartArray();
            for (Hold hold : holds) {
                hold(hold).write(json);
            }
            json.writeEndArray();
        };
    }

    /** Somebody who holds, or held, as others may see it. */
    static JsonText.Part hold(Hold hold) {
        return json -> {
            json.writeStartObject();
            json.writeStringField("owner", hold.owner());
            scope(json, hold.scope().paths(), hold.scope().mode());
            json.writeNumberField("fencing_token", hold.token().value());
            json.writeStringField("granted_at", JsonText.time(hold.grantedAt()));
            json.writeStringField("renewed_at", JsonText.time(hold.renewedAt()));
            end(json, hold.expiresAt());
            json.writeBooleanField("stale", hold.stale());
            JsonText.texts(json, "metadata", hold.terms().metadata());
            json.writeStringField("reason", hold.terms().reason());
            json.writeEndObject();
        };
    }

    /** A lock with everybody at it, as one object: the same from the server and from the command line. */
    public static void lock(JsonGenerator json, LockView lock) throws IOException {
        json.writeStartObject();
        json.writeStringField("namespace", lock.key().namespace());
        json.writeStringField("name", lock.key().name());
        json.writeBooleanField("held", !lock.isFree());
        json.writeNumberField("latest_token", lock.latestToken().value());
        json.writeFieldName("holders");
        holders(lock.holders()).write(json);
        json.writeArrayFieldStart("waiters");
        for (LockView.Waiting waiter : lock.waiters()) {
            json.writeStartObject();
            json.writeStringField("owner", waiter.owner());
            json.writeStringField("since", JsonText.time(waiter.since()));
            json.writeNumberField("position", waiter.position());
            scope(json, waiter.paths(), waiter.mode());
            json.writeEndObject();
        }
        json.writeEndArray();
        done(json, lock.done());
        json.writeStringField("server_time", JsonText.time(lock.at()));
        json.writeEndObject();
    }

    static JsonText.Part holders(List<Holder> holders) {
        return json -> {
            json.writeStartArray();
            for (Holder holder : holders) {
                json.writeStartObject();
                json.writeStringField("owner", holder.owner());
                scope(json, holder.paths(), holder.mode());
                json.writeNumberField("fencing_token", holder.token().value());
                json.writeStringField("granted_at", JsonText.time(holder.grantedAt()));
                json.writeStringField("renewed_at", JsonText.time(holder.renewedAt()));
                end(json, holder.expiresAt().orElse(Times.NEVER));
                json.writeBooleanField("stale", holder.stale());
                JsonText.texts(json, "metadata", holder.metadata());
                json.writeStringField("reason", holder.reason());
                json.writeEndObject();
            }
            json.writeEndArray();
        };
    }

    /** Path and mode; what was taken together besides the first path is listed too. */
    private static void scope(JsonGenerator json, List<LockPath> paths, Mode mode) throws IOException {
        paths(json, paths);
        json.writeStringField("mode", mode.label());
        if (mode.kind() == Mode.Kind.PERMIT) {
            json.writeNumberField("limit", mode.limit());
        }
    }

    private static void paths(JsonGenerator json, List<LockPath> paths) throws IOException {
        json.writeStringField("path", paths.get(0).value());
        if (paths.size() > 1) {
            json.writeArrayFieldStart("paths");
            for (LockPath path : paths) {
                json.writeString(path.value());
            }
            json.writeEndArray();
        }
    }

    private static void end(JsonGenerator json, Instant expiresAt) throws IOException {
        if (expiresAt.equals(Times.NEVER)) {
            json.writeNullField("expires_at");
        } else {
            json.writeStringField("expires_at", JsonText.time(expiresAt));
        }
    }

    /** When asking again makes sense: when the first of those in the way ends, but neither at once nor much later. */
    static Duration retryAfter(List<Hold> inTheWay, Instant now) {
        Instant first = Times.NEVER;
        for (Hold hold : inTheWay) {
            first = Times.earlier(first, hold.expiresAt());
        }
        Duration until = first.equals(Times.NEVER) ? MAX_RETRY : Duration.between(now, first);
        return until.compareTo(MIN_RETRY) < 0 ? MIN_RETRY : until.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : until;
    }
}
