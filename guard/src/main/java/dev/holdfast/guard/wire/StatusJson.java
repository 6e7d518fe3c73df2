package dev.holdfast.guard.wire;

import dev.holdfast.guard.QuickStatus;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;

/** Whether an app answers. */
public final class StatusJson {
    private StatusJson() {}

    public static Json.Obj write(QuickStatus seen) {
        return Json.build()
                .with("app", seen.app())
                .with("status", seen.status().name())
                .with("http_code", Members.code(seen.httpCode()))
                .with("timestamp", Rfc3339.text(seen.timestamp()))
                .build();
    }

    public static QuickStatus read(Json json) {
        return new QuickStatus(
                Members.text(json, "app"),
                Members.word(json, "status", QuickStatus.Word.class),
                Members.integer(json, "http_code"),
                Members.time(json, "timestamp"));
    }
}
