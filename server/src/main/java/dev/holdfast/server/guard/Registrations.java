package dev.holdfast.server.guard;

import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Registration;
import dev.holdfast.server.http.JsonFields;
import dev.holdfast.server.http.Problem;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads apps from bodies. An app whose URL names no host is below the gateway, and stored so: every server probes the same. */
record Registrations(GuardOptions.Probes probes) {
    private static final int MAX_APPS = 1_000;
    private static final int MAX_CODES = 32;

    Registration read(String app, JsonFields fields) {
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
                fields.optionalObject("health").map(Registrations::health));
    }

    private static HealthCheck.Spec health(JsonFields fields) {
        return new HealthCheck.Spec(
                fields.optionalText("path", text -> text),
                fields.codes("up", MAX_CODES),
                fields.codes("down", MAX_CODES),
                fields.optionalText("down_after", text -> text));
    }

    List<Registration> readAll(JsonFields fields) {
        List<Registration> all = new ArrayList<>();
        for (JsonFields entry : fields.objects("apps", MAX_APPS)) {
            all.add(read(entry.text("app", text -> text, ""), entry));
        }
        return all;
    }

    /** Refuses all of them if one may not be probed; the guard itself checks the rest. */
    List<Registration> checked(List<Registration> all) {
        List<Registration> checked = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Registration one : all) {
            String url = absolute(one, problems);
            refusal(url).ifPresent(why -> problems.add("url of '" + one.app() + "': " + why));
            checked.add(new Registration(one.app(), url, one.databases(), one.desired(), one.health()));
        }
        if (!problems.isEmpty()) {
            throw Problem.refusal(422, "invalid-app", String.join("; ", problems));
        }
        return checked;
    }

    private String absolute(Registration one, List<String> problems) {
        if (!one.url().startsWith("/") || one.url().startsWith("//")) {
            return one.url();
        }
        if (probes.gateway().isEmpty()) {
            problems.add("url '" + one.url() + "' of '" + one.app()
                    + "' names no host: write http://host/…, or set API_GATEWAY_URL, the base for such paths");
            return "http://invalid/";
        }
        String base = probes.gateway().get().toString();
        return (base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + one.url();
    }

    /** Only of what is a URL at all: the guard tells better what is wrong with one that is not. */
    private Optional<String> refusal(String url) {
        try {
            URI uri = new URI(url);
            return uri.getHost() == null ? Optional.empty() : probes.policy().refusal(uri);
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
