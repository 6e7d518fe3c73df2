package dev.holdfast.state.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.state.versions.Verification;
import dev.holdfast.state.versions.VersionNames;
import dev.holdfast.wire.AnswerFields;
import dev.holdfast.wire.LeaseJson;
import dev.holdfast.wire.LockJson;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Versions, stacks, differences and checks: each shape is written and read here, and nowhere else. */
public final class StateJson {
    private StateJson() {}

    // ---- a version

    public static void version(JsonGenerator json, StateVersion version) throws IOException {
        json.writeStringField("version", version.version());
        json.writeNumberField("serial", version.serial());
        json.writeStringField("lineage", version.lineage().orElse(null));
        json.writeStringField("saved_at", Rfc3339.fine(version.savedAt()));
        json.writeStringField("by", version.by());
        json.writeNumberField("size", version.size());
        json.writeStringField("sha256", version.sha256());
        json.writeStringField("operation", version.operation());
        json.writeStringField("lock_id", version.lockId().orElse(null));
        json.writeNumberField("fencing_token", version.token().value());
    }

    public static void object(JsonGenerator json, StateVersion version) throws IOException {
        json.writeStartObject();
        version(json, version);
        json.writeEndObject();
    }

    /** Reads {@link #version}, or the fewer fields that a listing has of it. Empty if it names none. */
    public static Optional<StateVersion> version(Stack stack, Json.Obj from) {
        return from.text("version")
                .map(version -> new StateVersion(
                        stack,
                        version,
                        from.number("serial").orElse(0L),
                        from.text("lineage"),
                        AnswerFields.optionalTime(from, "saved_at").orElse(Instant.EPOCH),
                        from.text("by").orElse(""),
                        from.number("size").orElse(0L),
                        from.text("sha256").orElse(""),
                        from.text("operation").orElse(""),
                        from.text("lock_id"),
                        new Token(from.number("fencing_token").orElse(0L))));
    }

    /** A version of which no more is known than its name. */
    public static StateVersion named(Stack stack, String version) {
        return version(stack, Json.object().with("version", Json.of(version)))
                .map(it -> it.named(version, VersionNames.time(version).orElse(Instant.EPOCH)))
                .orElseThrow();
    }

    /** Reads {@link #version}; empty from a server that answers with less of it. */
    public static Optional<StateVersion> whole(Stack stack, Json.Obj from) {
        return version(stack, from).filter(it -> !it.sha256().isEmpty());
    }

    // ---- a version beside its bytes

    /** The header of a document that tells what is known of it. */
    public static final String VERSION_HEADER = "Holdfast-Version";

    /** Proxies take no longer headers; only the lineage of a document that others put there can be that long. */
    private static final int MAX_HEADER = 3_500;

    /** What {@link #VERSION_HEADER} has: {@link #version} on one line, in ASCII. Empty if it is too long. */
    public static Optional<String> header(StateVersion version) {
        String json = new String(JsonText.object(out -> version(out, version)), StandardCharsets.UTF_8);
        StringBuilder ascii = new StringBuilder(json.length());
        json.chars().forEach(c -> ascii.append(c < 0x7f ? String.valueOf((char) c) : String.format("\\u%04x", c)));
        return Optional.of(ascii.toString()).filter(it -> it.length() <= MAX_HEADER);
    }

    /** Reads {@link #header}; empty if it is none. */
    public static Optional<StateVersion> header(Stack stack, String header) {
        try {
            return whole(stack, AnswerFields.of(header.getBytes(StandardCharsets.UTF_8)));
        } catch (StoreUnusableException e) {
            return Optional.empty();
        }
    }

    // ---- a version that was restored

    /** The new version, and the one it was made from. */
    public static void restored(JsonGenerator json, RestoreOutcome.Restored restored) throws IOException {
        version(json, restored.version());
        json.writeFieldName("from");
        object(json, restored.from());
    }

    /** Reads {@link #restored}; empty from a server that answers with less of it. */
    public static Optional<RestoreOutcome.Restored> restored(Stack stack, Json.Obj from) {
        Optional<StateVersion> source = from.object("from").flatMap(it -> version(stack, it));
        return source.flatMap(it -> whole(stack, from).map(made -> new RestoreOutcome.Restored(made, it)));
    }

    // ---- a stack

    /** Which stack: two fields. */
    public static void stack(JsonGenerator json, Stack stack) throws IOException {
        json.writeStringField("stack", stack.name());
        json.writeStringField("environment", stack.environment());
    }

    public static Stack stack(Json.Obj from) {
        return new Stack(AnswerFields.text(from, "stack"), AnswerFields.text(from, "environment"));
    }

    /** A stack with its current version and its lock, as one object of a listing. */
    public static void item(JsonGenerator json, StackPage.Item item) throws IOException {
        Optional<StateVersion> current = item.current();
        json.writeStartObject();
        stack(json, item.stack());
        json.writeStringField("version", current.map(StateVersion::version).orElse(null));
        json.writeObjectField("serial", current.map(StateVersion::serial).orElse(null));
        json.writeStringField("lineage", current.flatMap(StateVersion::lineage).orElse(null));
        json.writeNumberField("size", current.map(StateVersion::size).orElse(0L));
        json.writeStringField(
                "saved_at", current.map(it -> Rfc3339.fine(it.savedAt())).orElse(null));
        locked(json, item.holders());
        json.writeEndObject();
    }

    /** Whether it is locked, and by whom: the first of these. */
    public static void locked(JsonGenerator json, List<Holder> holders) throws IOException {
        json.writeBooleanField("locked", !holders.isEmpty());
        if (holders.isEmpty()) {
            json.writeNullField("lock");
        } else {
            lock(json, holders.get(0));
        }
    }

    /** Terraform's own words where it has the lock. */
    private static void lock(JsonGenerator json, Holder holder) throws IOException {
        Map<String, String> words = holder.metadata();
        json.writeObjectFieldStart("lock");
        json.writeStringField("ID", words.getOrDefault("ID", "token-" + holder.token()));
        json.writeStringField("Who", words.getOrDefault("Who", holder.owner()));
        json.writeStringField("Operation", words.getOrDefault("Operation", holder.reason()));
        json.writeStringField("Created", words.getOrDefault("Created", Rfc3339.text(holder.grantedAt())));
        json.writeBooleanField("stale", holder.stale());
        json.writeEndObject();
    }

    // ---- a check of all versions

    public static void verification(JsonGenerator json, Verification found) throws IOException {
        json.writeBooleanField("good", found.isGood());
        json.writeNumberField("checked", found.checked());
        JsonText.objects(json, "damaged", found.damaged(), (out, damage) -> {
            out.writeStringField("version", damage.version());
            out.writeBooleanField("current", damage.current());
            out.writeStringField("problem", damage.problem());
        });
        json.writeStringField("last_good", found.lastGood().orElse(null));
    }

    public static Verification verification(Stack stack, Json.Obj from) {
        List<Verification.Damage> damaged = from.objects("damaged").stream()
                .map(it -> new Verification.Damage(
                        AnswerFields.text(it, "version"),
                        it.truth("current"),
                        it.text("problem").orElse("")))
                .toList();
        return new Verification(stack, (int) AnswerFields.number(from, "checked"), damaged, from.text("last_good"));
    }

    // ---- a difference

    public static void changes(JsonGenerator json, StateDiff diff) throws IOException {
        JsonText.objects(json, "changes", diff.changes(), (out, change) -> {
            out.writeStringField("address", change.address());
            out.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
            JsonText.objects(out, "attributes", change.attributes(), StateJson::attribute);
            out.writeBooleanField("complete", change.complete());
        });
        json.writeBooleanField("complete", diff.complete());
    }

    private static void attribute(JsonGenerator json, StateDiff.Attribute attribute) throws IOException {
        json.writeStringField("path", attribute.path());
        json.writeStringField("before", attribute.before().orElse(null));
        json.writeStringField("after", attribute.after().orElse(null));
        json.writeBooleanField("sensitive", attribute.isSecret());
    }

    /** How much changed. */
    public static void summary(JsonGenerator json, StateDiff diff) throws IOException {
        json.writeObjectFieldStart("summary");
        json.writeNumberField("added", diff.count(StateDiff.Kind.ADDED));
        json.writeNumberField("changed", diff.count(StateDiff.Kind.CHANGED));
        json.writeNumberField("removed", diff.count(StateDiff.Kind.REMOVED));
        json.writeNumberField("others", diff.countOthers());
        json.writeBooleanField("complete", diff.complete());
        json.writeEndObject();
    }

    public static StateDiff changes(Json.Obj from) {
        List<StateDiff.ResourceChange> changes = from.objects("changes").stream()
                .map(it -> new StateDiff.ResourceChange(
                        AnswerFields.text(it, "address"),
                        kind(AnswerFields.text(it, "kind")),
                        it.objects("attributes").stream()
                                .map(attribute -> new StateDiff.Attribute(
                                        AnswerFields.text(attribute, "path"),
                                        attribute.text("before"),
                                        attribute.text("after")))
                                .toList(),
                        it.truth("complete")))
                .toList();
        return new StateDiff(changes, from.truth("complete"));
    }

    private static StateDiff.Kind kind(String word) {
        return Arrays.stream(StateDiff.Kind.values())
                .filter(it -> it.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> new StoreUnusableException(
                        "the server reports a change of kind '" + word
                                + "' that is not known here; upgrade this process",
                        null));
    }

    // ---- a refusal

    /** What a problem says besides why: how the lease ended, and who holds, as far as known. The reason is a member of its own. */
    public static Map<String, JsonText.Part> refusal(StateRefusal why) {
        Map<String, JsonText.Part> members = new LinkedHashMap<>();
        why.lost().ifPresent(how -> members.put("lost", json -> json.writeString(LeaseJson.label(how))));
        if (!why.holders().isEmpty()) {
            members.put("holders", json -> LockJson.holders(json, why.holders()));
        }
        return members;
    }

    /**
     * Reads why something was not done: {@code reason} and {@code detail} of a problem (else these) with {@link #refusal}, or a LockInfo
     * with who holds.
     */
    public static StateRefusal refused(Stack stack, Json.Obj from, StateRefusal.Reason usual, String what) {
        StateRefusal.Reason reason = from.text("reason")
                .flatMap(label -> Arrays.stream(StateRefusal.Reason.values())
                        .filter(it -> it.label().equals(label))
                        .findFirst())
                .orElse(usual);
        String message = from.text("detail")
                .orElse(what + from.text("Who").map(it -> " (" + it + ")").orElse(""));
        return new StateRefusal(
                reason,
                message,
                from.text("lost").map(LeaseJson::reason),
                LockJson.holders(from, stack.lock().record()));
    }
}
