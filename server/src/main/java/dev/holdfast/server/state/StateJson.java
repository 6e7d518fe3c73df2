package dev.holdfast.server.state;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.Holder;
import dev.holdfast.server.http.JsonText;
import dev.holdfast.state.StackPage;
import dev.holdfast.state.StateDiff;
import dev.holdfast.state.StateVersion;
import dev.holdfast.state.Verification;
import dev.holdfast.wire.Rfc3339;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Versions, stacks and differences as JSON. */
final class StateJson {
    private StateJson() {}

    static void version(JsonGenerator json, StateVersion version) throws IOException {
        json.writeStringField("version", version.version());
        json.writeNumberField("serial", version.serial());
        optional(json, "lineage", version.lineage());
        json.writeStringField("saved_at", Rfc3339.fine(version.savedAt()));
        json.writeStringField("by", version.by());
        json.writeNumberField("size", version.size());
        json.writeStringField("sha256", version.sha256());
        json.writeStringField("operation", version.operation());
        optional(json, "lock_id", version.lockId());
        json.writeNumberField("fencing_token", version.token().value());
    }

    static void stack(JsonGenerator json, StackPage.Item item) throws IOException {
        json.writeStartObject();
        json.writeStringField("stack", item.stack().name());
        json.writeStringField("environment", item.stack().environment());
        Optional<StateVersion> current = item.current();
        optional(json, "version", current.map(StateVersion::version));
        if (current.isPresent()) {
            json.writeNumberField("serial", current.get().serial());
        } else {
            json.writeNullField("serial");
        }
        optional(json, "lineage", current.flatMap(StateVersion::lineage));
        json.writeNumberField("size", current.map(StateVersion::size).orElse(0L));
        optional(json, "saved_at", current.map(it -> Rfc3339.fine(it.savedAt())));
        json.writeBooleanField("locked", item.isLocked());
        if (item.isLocked()) {
            json.writeFieldName("lock");
            lock(json, item.holders().get(0));
        } else {
            json.writeNullField("lock");
        }
        json.writeEndObject();
    }

    private static void lock(JsonGenerator json, Holder holder) throws IOException {
        Map<String, String> said = holder.metadata();
        json.writeStartObject();
        json.writeStringField(
                "ID",
                said.getOrDefault(LockInfo.ID, LockInfo.unnamed(holder.token().value())));
        json.writeStringField("Who", said.getOrDefault(LockInfo.WHO, holder.owner()));
        json.writeStringField("Operation", said.getOrDefault(LockInfo.OPERATION, holder.reason()));
        json.writeStringField("Created", said.getOrDefault(LockInfo.CREATED, JsonText.time(holder.grantedAt())));
        json.writeBooleanField("stale", holder.stale());
        json.writeEndObject();
    }

    static void verification(JsonGenerator json, Verification found) throws IOException {
        json.writeBooleanField("good", found.isGood());
        json.writeNumberField("checked", found.checked());
        json.writeArrayFieldStart("damaged");
        for (Verification.Damage damage : found.damaged()) {
            json.writeStartObject();
            json.writeStringField("version", damage.version());
            json.writeBooleanField("current", damage.current());
            json.writeStringField("problem", damage.problem());
            json.writeEndObject();
        }
        json.writeEndArray();
        optional(json, "last_good", found.lastGood());
    }

    static void changes(JsonGenerator json, StateDiff diff) throws IOException {
        json.writeArrayFieldStart("changes");
        for (StateDiff.Change change : diff.changes()) {
            json.writeStartObject();
            json.writeStringField("address", change.address());
            json.writeStringField("kind", change.kind().name().toLowerCase(Locale.ROOT));
            json.writeArrayFieldStart("attributes");
            for (StateDiff.Attribute attribute : change.attributes()) {
                json.writeStartObject();
                json.writeStringField("path", attribute.path());
                optional(json, "before", attribute.before());
                optional(json, "after", attribute.after());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeBooleanField("complete", change.complete());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("complete", diff.complete());
    }

    private static void optional(JsonGenerator json, String name, Optional<String> text) throws IOException {
        if (text.isPresent()) {
            json.writeStringField(name, text.get());
        } else {
            json.writeNullField(name);
        }
    }
}
