package dev.holdfast.wire;

import dev.holdfast.Inspector.CleanupReport;
import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.json.Json;
import java.util.List;

/** What was tidied up. */
public final class CleanupJson {
    private CleanupJson() {}

    public static Json.Obj write(CleanupReport report, boolean dryRun) {
        return Json.build()
                .with("removed", report.judged() + report.removed())
                .with("deleted", report.removed())
                .with("locks", Json.array(report.locks(), key -> Json.of(key.toString())))
                .with("dry_run", dryRun)
                .build();
    }

    public static CleanupReport read(Json.Obj from) {
        int deleted = (int) AnswerFields.number(from, "deleted");
        int all = (int) AnswerFields.number(from, "removed");
        List<RecordKey> keys =
                from.texts("locks").stream().map(CleanupJson::key).toList();
        return new CleanupReport(all - deleted, deleted, keys);
    }

    private static RecordKey key(String name) {
        int colon = name.indexOf(':'); // a namespace has none
        return new RecordKey(name.substring(0, colon), name.substring(colon + 1));
    }
}
