package dev.holdfast.cli.state.access;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.model.Token;
import dev.holdfast.state.Stack;
import dev.holdfast.state.StateVersion;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Versions as the server's routes show them, read and written. */
public final class StateJson {
    private StateJson() {}

    // ---- reading

    static Optional<String> text(Json.Obj object, String name) {
        return object.get(name)
                .flatMap(it -> it instanceof Json.Text text ? Optional.of(text.value()) : Optional.empty());
    }

    static Optional<Long> number(Json.Obj object, String name) {
        try {
            return object.get(name)
                    .flatMap(it -> it instanceof Json.Numeral number
                            ? Optional.of(Long.parseLong(number.literal()))
                            : Optional.empty());
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static boolean truth(Json.Obj object, String name) {
        return object.get(name).map(it -> it.equals(Json.of(true))).orElse(false);
    }

    static List<Json.Obj> objects(Json.Obj object, String name) {
        List<Json.Obj> found = new ArrayList<>();
        if (object.get(name).orElse(Json.nil()) instanceof Json.Arr array) {
            array.items().forEach(it -> {
                if (it instanceof Json.Obj item) {
                    found.add(item);
                }
            });
        }
        return found;
    }

    /** What an answer says of a version; fields it has not are empty. Empty if it names none. */
    public static Optional<StateVersion> version(Stack stack, Json.Obj object) {
        return text(object, "version")
                .map(version -> new StateVersion(
                        stack,
                        version,
                        number(object, "serial").orElse(0L),
                        text(object, "lineage"),
                        text(object, "saved_at").flatMap(StateJson::time).orElse(Instant.EPOCH),
                        text(object, "by").orElse(""),
                        number(object, "size").orElse(0L),
                        text(object, "sha256").orElse(""),
                        text(object, "operation").orElse(""),
                        text(object, "lock_id"),
                        new Token(number(object, "fencing_token").orElse(0L))));
    }

    private static Optional<Instant> time(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    // ---- writing

    /** All of a version, as {@code GET …/history} has it. */
    public static void version(JsonGenerator json, StateVersion version) throws IOException {
        json.writeStartObject();
        fields(json, version);
        json.writeEndObject();
    }

    public static void fields(JsonGenerator json, StateVersion version) throws IOException {
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

    /** A stack with its current version, as {@code GET /state} has it. */
    public static void item(JsonGenerator json, States.Item item, List<Holder> holders) throws IOException {
        json.writeStartObject();
        stack(json, item.stack());
        Optional<StateVersion> current = item.current();
        json.writeStringField("version", current.map(StateVersion::version).orElse(null));
        json.writeFieldName("serial");
        if (current.isPresent()) {
            json.writeNumber(current.get().serial());
        } else {
            json.writeNull();
        }
        json.writeStringField("lineage", current.flatMap(StateVersion::lineage).orElse(null));
        json.writeNumberField("size", current.map(StateVersion::size).orElse(0L));
        json.writeStringField(
                "saved_at", current.map(it -> Rfc3339.fine(it.savedAt())).orElse(null));
        locked(json, holders);
        json.writeEndObject();
    }

    public static void stack(JsonGenerator json, Stack stack) throws IOException {
        json.writeStringField("stack", stack.name());
        json.writeStringField("environment", stack.environment());
    }

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
        Map<String, String> said = holder.metadata();
        json.writeObjectFieldStart("lock");
        json.writeStringField("ID", said.getOrDefault("ID", "token-" + holder.token()));
        json.writeStringField("Who", said.getOrDefault("Who", holder.owner()));
        json.writeStringField("Operation", said.getOrDefault("Operation", holder.reason()));
        json.writeStringField("Created", said.getOrDefault("Created", Rfc3339.text(holder.grantedAt())));
        json.writeBooleanField("stale", holder.stale());
        json.writeEndObject();
    }
}
