package dev.holdfast.guard.wire;

import dev.holdfast.guard.AppAnswer;
import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.ResourceView;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.time.Duration;
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
                Members.all(json, "intents", ResourceJson::intent),
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
                .with("desired", user.desired().label())
                .with("standing", Json.of(user.watch().standing().map(AppStanding::label)))
                .with(
                        "down_after_ms",
                        user.watch()
                                .downAfter()
                                .map(time -> Json.of(time.toMillis()))
                                .orElseGet(Json::nil))
                .with("down_at", Members.time(user.watch().downAt()))
                .with("since", Members.time(user.watch().since()))
                .with("answers", Json.array(user.watch().answers(), ResourceJson::answer))
                .build();
    }

    private static ResourceView.User user(Json json) {
        return new ResourceView.User(
                Members.text(json, "app"),
                Members.text(json, "status"),
                Members.integer(json, "http_code"),
                Members.optionalTime(json, "checked_at"),
                Members.optionalWord(json, "desired", DesiredState.class).orElse(DesiredState.AUTO),
                new ResourceView.Watch(
                        Members.optionalWord(json, "standing", AppStanding.class),
                        Members.number(json, "down_after_ms").stream()
                                .mapToObj(Duration::ofMillis)
                                .findFirst(),
                        Members.optionalTime(json, "down_at"),
                        Members.optionalTime(json, "since"),
                        Members.all(json, "answers", ResourceJson::answer)));
    }

    private static Json answer(AppAnswer answer) {
        return Json.build()
                .with("answer", answer.kind().label())
                .with("http_code", Members.code(answer.httpCode()))
                .with("at", Rfc3339.text(answer.at()))
                .with("detail", answer.detail())
                .build();
    }

    private static AppAnswer answer(Json json) {
        return new AppAnswer(
                Members.word(json, "answer", AppAnswer.Kind.class),
                Members.integer(json, "http_code"),
                Members.time(json, "at"),
                Members.text(json, "detail"));
    }

    private static Json intent(Intent intent) {
        return Json.build()
                .with("requested_by", intent.requestedBy())
                .with("since", Rfc3339.text(intent.since()))
                .build();
    }

    private static Intent intent(Json json) {
        return new Intent(Members.text(json, "requested_by"), Members.time(json, "since"));
    }
}
