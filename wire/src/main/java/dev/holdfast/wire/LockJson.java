package dev.holdfast.wire;

import static dev.holdfast.wire.AnswerFields.number;
import static dev.holdfast.wire.AnswerFields.text;
import static dev.holdfast.wire.AnswerFields.time;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.model.Done;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Locks and who is at them, as everybody may see them: without lease ids, which are shown only to whom they belong. */
public final class LockJson {
    private LockJson() {}

    // ---- a lock

    /** A lock with everybody at it, as one object: the same from a server and from the command line. */
    public static void lock(JsonGenerator json, LockView lock) throws IOException {
        json.writeStartObject();
        key(json, lock.key());
        json.writeBooleanField("held", !lock.isFree());
        json.writeNumberField("latest_token", lock.latestToken().value());
        JsonText.values(json, "holders", lock.holders(), LockJson::holder);
        JsonText.objects(json, "waiters", lock.waiters(), (out, waiter) -> {
            out.writeStringField("owner", waiter.owner());
            out.writeStringField("since", Rfc3339.text(waiter.since()));
            out.writeNumberField("position", waiter.position());
            scope(out, waiter.paths(), waiter.mode());
        });
        done(json, lock.done());
        json.writeStringField("server_time", Rfc3339.text(lock.at()));
        json.writeEndObject();
    }

    /** Reads {@link #lock}. */
    public static LockView lock(Json.Obj from) {
        RecordKey key = key(from);
        List<LockView.Waiting> waiters = from.objects("waiters").stream()
                .map(waiter -> new LockView.Waiting(
                        (int) number(waiter, "position"),
                        text(waiter, "owner"),
                        time(waiter, "since"),
                        mode(waiter),
                        paths(waiter)))
                .toList();
        return new LockView(
                key,
                holders(from, key),
                waiters,
                new Token(number(from, "latest_token")),
                done(from),
                time(from, "server_time"));
    }

    /** Which lock: two members. */
    static void key(JsonGenerator json, RecordKey key) throws IOException {
        json.writeStringField("namespace", key.namespace());
        json.writeStringField("name", key.name());
    }

    static RecordKey key(Json.Obj from) {
        return new RecordKey(text(from, "namespace"), text(from, "name"));
    }

    // ---- holders

    /** A member {@code holders}, with those who hold. */
    public static void holds(JsonGenerator json, List<Hold> holds) throws IOException {
        JsonText.array(json, holds, LockJson::hold);
    }

    /** Somebody who holds, or held, as others may see it. */
    public static void hold(JsonGenerator json, Hold hold) throws IOException {
        LockPath first = hold.scope().paths().get(0);
        holder(
                json,
                new Holder(
                        new LockKey(NOWHERE, first), // which lock it is, is told beside
                        hold.scope().paths(),
                        hold.scope().mode(),
                        hold.owner(),
                        hold.token(),
                        hold.grantedAt(),
                        hold.renewedAt(),
                        Optional.of(hold.expiresAt()).filter(end -> !end.equals(Times.NEVER)),
                        hold.stale(),
                        hold.terms().metadata(),
                        hold.terms().reason()));
    }

    private static final RecordKey NOWHERE = new RecordKey("-", "-");

    /** The same as {@link #holds}, as others already see them. */
    public static void holders(JsonGenerator json, List<Holder> holders) throws IOException {
        JsonText.array(json, holders, LockJson::holder);
    }

    private static void holder(JsonGenerator json, Holder holder) throws IOException {
        json.writeStartObject();
        json.writeStringField("owner", holder.owner());
        scope(json, holder.paths(), holder.mode());
        json.writeNumberField("fencing_token", holder.token().value());
        json.writeStringField("granted_at", Rfc3339.text(holder.grantedAt()));
        json.writeStringField("renewed_at", Rfc3339.text(holder.renewedAt()));
        json.writeStringField(
                "expires_at", holder.expiresAt().map(Rfc3339::text).orElse(null));
        json.writeBooleanField("stale", holder.stale());
        texts(json, "metadata", holder.metadata());
        json.writeStringField("reason", holder.reason());
        json.writeEndObject();
    }

    /** Reads the member {@code holders}. */
    public static List<Holder> holders(Json.Obj from, RecordKey key) {
        return from.objects("holders").stream().map(it -> holder(it, key)).toList();
    }

    /** Reads {@link #hold}. */
    public static Holder holder(Json.Obj from, RecordKey key) {
        List<LockPath> paths = paths(from);
        return new Holder(
                new LockKey(key, paths.get(0)),
                paths,
                mode(from),
                text(from, "owner"),
                new Token(number(from, "fencing_token")),
                time(from, "granted_at"),
                time(from, "renewed_at"),
                AnswerFields.optionalTime(from, "expires_at"),
                from.truth("stale"),
                from.textsByName("metadata"),
                from.text("reason").orElse(""));
    }

    // ---- once-only work

    /** A hold of this part that was ended by force: its token and owner, and by whom and why. */
    public static void forced(JsonGenerator json, LockKey part, Token token, String owner, String by, String reason)
            throws IOException {
        json.writeStringField("namespace", part.namespace());
        json.writeStringField("name", part.name());
        json.writeStringField("path", part.path().value());
        json.writeNumberField("fencing_token", token.value());
        json.writeStringField("owner", owner);
        json.writeStringField("forced_by", by);
        json.writeStringField("reason", reason);
    }

    /** The last completed once-only work, if there was any. */
    public static void done(JsonGenerator json, Optional<Done> done) throws IOException {
        if (done.isPresent()) {
            json.writeObjectFieldStart("done");
            json.writeStringField("generation", done.get().generation());
            json.writeStringField("by", done.get().by());
            json.writeNumberField("fencing_token", done.get().token().value());
            json.writeStringField("at", Rfc3339.text(done.get().at()));
            json.writeEndObject();
        }
    }

    /** Reads {@link #done}. */
    public static Optional<Done> done(Json.Obj from) {
        return from.object("done")
                .map(it -> new Done(
                        text(it, "generation"),
                        text(it, "by"),
                        new Token(number(it, "fencing_token")),
                        time(it, "at")));
    }

    // ---- what is locked

    /** Path and mode; what was taken together besides the first path is listed too. */
    static void scope(JsonGenerator json, List<LockPath> paths, Mode mode) throws IOException {
        paths(json, paths);
        mode(json, mode);
    }

    static void mode(JsonGenerator json, Mode mode) throws IOException {
        json.writeStringField("mode", mode.label());
        if (mode.kind() == Mode.Kind.PERMIT) {
            json.writeNumberField("limit", mode.limit());
        }
    }

    static void paths(JsonGenerator json, List<LockPath> paths) throws IOException {
        json.writeStringField("path", paths.get(0).value());
        if (paths.size() > 1) {
            JsonText.values(json, "paths", paths, (out, path) -> out.writeString(path.value()));
        }
    }

    private static List<LockPath> paths(Json.Obj from) {
        List<String> several = from.texts("paths");
        return several.isEmpty()
                ? List.of(LockPath.of(text(from, "path")))
                : several.stream().map(LockPath::of).toList();
    }

    private static Mode mode(Json.Obj from) {
        String mode = text(from, "mode");
        return switch (mode) {
            case "exclusive" -> Mode.EXCLUSIVE;
            case "shared" -> Mode.SHARED;
            case "permit" -> Mode.permit((int) number(from, "limit"));
            default ->
                throw new StoreUnusableException(
                        "the server reports a mode '" + mode + "' that is not known here; upgrade this process", null);
        };
    }

    public static void texts(JsonGenerator json, String name, Map<String, String> texts) throws IOException {
        json.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : texts.entrySet()) {
            json.writeStringField(entry.getKey(), entry.getValue());
        }
        json.writeEndObject();
    }
}
