package dev.holdfast.server.guard;

import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Registration;
import dev.holdfast.server.http.JsonFields;
import java.util.ArrayList;
import java.util.List;

/** Reads apps from bodies. */
final class RegistrationReader {
    private static final int MAX_APPS = 1_000;
    private static final int MAX_CODES = 32;

    private RegistrationReader() {}

    static Registration read(String app, JsonFields fields) {
        List<Registration.Use> uses = new ArrayList<>();
        for (JsonFields database : fields.optionalObjects("databases", Registration.MAX_DATABASES)) {
            uses.add(new Registration.Use(
                    database.text("type", text -> text, ""),
                    database.optionalText("host", text -> text),
                    database.optionalText("instance_id", text -> text),
                    database.optionalText("actuator", text -> text)));
        }
        return new Registration(
                app,
                fields.text("url", text -> text, ""),
                uses,
                fields.optionalText("desired", text -> text),
                fields.optionalObject("health").map(RegistrationReader::health));
    }

    private static HealthCheck.Spec health(JsonFields fields) {
        return new HealthCheck.Spec(
                fields.optionalText("path", text -> text),
                fields.codes("up", MAX_CODES),
                fields.codes("down", MAX_CODES),
                fields.optionalText("down_after", text -> text));
    }

    static List<Registration> readAll(JsonFields fields) {
        return fields.objects("apps", MAX_APPS).stream()
                .map(entry -> read(entry.text("app", text -> text, ""), entry))
                .toList();
    }
}
