package dev.holdfast.guard.wire;

import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.util.List;
import java.util.Locale;

/** Resources as they are shown. */
public final class ResourceJson {
    private ResourceJson() {}

    public static Json.Obj write(ResourceView resource) {
        return Json.build()
                .with("db_identifier", resource.dbIdentifier())
                .with("types", Members.texts(resource.types()))
                .with("state", resource.state().name().toLowerCase(Locale.ROOT))
                .with("actuator", resource.actuator())
                .with("recorded_only", resource.recordedOnly())
                .with("needed_by", Members.texts(resource.neededBy()))
                .with("same_as", Members.texts(resource.sameAs()))
                .with("apps", Json.array(resource.apps(), ResourceJson::user))
                .with("intent", resource.intent().map(ResourceJson::intent).orElseGet(Json::nil))
                .with("intents", Json.array(resource.intents(), ResourceJson::intent))
                .with("decisions", Json.array(resource.decisions(), AnswerJson::write))
                .with("problems", Members.texts(resource.problems()))
                .build();
    }

    public static ResourceView read(Json json) {
        return new ResourceView(
                Members.text(json, "db_identifier"),
                Members.texts(json, "types"),
                Members.word(json, "state", ResourceState.class),
                Members.text(json, "actuator"),
                json.at("recorded_only").isTrue(),
                Members.all(json, "apps", ResourceJson::user),
                intents(json),
                Members.texts(json, "needed_by"),
                Members.texts(json, "same_as"),
                Members.all(json, "decisions", AnswerJson::readDecision),
                Members.texts(json, "problems"));
    }

    private static Json user(ResourceView.User user) {
        return Json.build()
                .with("app", user.app())
                .with("status", user.status())
                .with("http_code", Members.code(user.httpCode()))
                .with("checked_at", Members.time(user.checkedAt()))
                .build();
    }

    private static ResourceView.User user(Json json) {
        return new ResourceView.User(
                Members.text(json, "app"),
                Members.text(json, "status"),
                Members.integer(json, "http_code"),
                Members.optionalTime(json, "checked_at"));
    }

    private static Json intent(Intent intent) {
        return Json.build()
                .with("requested_by", intent.requestedBy())
                .with("since", Rfc3339.text(intent.since()))
                .build();
    }

    private static List<Intent> intents(Json json) {
        return Members.all(
                json, "intents", one -> new Intent(Members.text(one, "requested_by"), Members.time(one, "since")));
    }
}
