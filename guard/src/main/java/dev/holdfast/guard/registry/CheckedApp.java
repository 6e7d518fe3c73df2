package dev.holdfast.guard.registry;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppDatabase;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.Identifiers;
import dev.holdfast.guard.Registration;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A registration, checked and canonical. */
public record CheckedApp(
        String app, URI url, HealthCheck health, List<AppDatabase> databases, Optional<DesiredState> desired) {
    /** Adds what is wrong with it to the list; actuators must be among the known ones. */
    public static CheckedApp check(Registration given, Set<String> actuators, List<String> problems) {
        if (!given.app().matches(Registration.NAME)) {
            problems.add("app '" + Registration.shown(given.app())
                    + "' must be 1 to 64 letters, digits, '.', '_' and '-', a letter or digit first");
        }
        if (given.databases().size() > Registration.MAX_DATABASES) {
            problems.add("app '" + Registration.shown(given.app()) + "' has "
                    + given.databases().size() + " databases; at most " + Registration.MAX_DATABASES + " are allowed");
        }
        List<AppDatabase> canonical = new ArrayList<>();
        for (int i = 0; i < Math.min(given.databases().size(), Registration.MAX_DATABASES); i++) {
            canonical.add(database(given.databases().get(i), "databases[" + i + "].", actuators, problems));
        }
        Optional<DesiredState> wish = given.desired().flatMap(DesiredState::of);
        if (given.desired().isPresent() && wish.isEmpty()) {
            problems.add(
                    "desired '" + Registration.shown(given.desired().get()) + "' must be auto, running or stopped");
        }
        HealthCheck understood =
                given.health().map(spec -> spec.check(problems)).orElse(HealthCheck.USUAL);
        return new CheckedApp(given.app(), address(given.url(), problems), understood, canonical, wish);
    }

    private static URI address(String url, List<String> problems) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (!scheme.equals("http") && !scheme.equals("https")) {
                problems.add("url '" + Registration.shown(url) + "' must start with http:// or https://");
            } else if (uri.getHost() == null) {
                problems.add("url '" + Registration.shown(url) + "' names no host");
            } else if (uri.getUserInfo() != null) {
                problems.add("url must not contain a user name or password"); // and is not repeated here
            } else if (url.length() > Registration.MAX_URL) {
                problems.add(
                        "url has " + url.length() + " characters; at most " + Registration.MAX_URL + " are allowed");
            } else if (uri.getPort() > 65_535) {
                problems.add("url '" + Registration.shown(url) + "' names a port above 65535");
            }
            return uri;
        } catch (URISyntaxException e) {
            problems.add("url '" + Registration.shown(url) + "' is malformed: " + e.getReason());
            return URI.create("http://invalid/");
        }
    }

    private static AppDatabase database(Registration.Use use, String at, Set<String> actuators, List<String> problems) {
        String type = Identifiers.type(use.type());
        if (!type.matches("[a-z][a-z0-9_-]{0,31}")) {
            problems.add(at + "type '" + Registration.shown(use.type())
                    + "' must be 1 to 32 letters, digits, '_' and '-', such as postgres or neo4j");
        }
        if (use.host().isPresent() && Identifiers.place(use.host().get()).isEmpty()) {
            problems.add(
                    at + "host '" + Registration.shown(use.host().get())
                            + "' must be a host name (1 to 180 characters) or address, or host:port with a port from 1 to 65535");
        }
        Optional<String> instance = use.instanceId().map(id -> id.toLowerCase(Locale.ROOT));
        if (instance.isPresent() && !instance.get().matches("[a-z0-9][a-z0-9._-]{0,127}")) {
            problems.add(at + "instance_id '" + Registration.shown(instance.get())
                    + "' must be 1 to 128 letters, digits, '.', '_' and '-', such as i-0abc1234");
        }
        if (use.actuator().isPresent() && !actuators.contains(use.actuator().get())) {
            problems.add(at + "actuator '" + Registration.shown(use.actuator().get())
                    + "' is not configured. Configured here: "
                    + String.join(", ", actuators.stream().sorted().toList()));
        }
        return AppDatabase.of(type, use.host(), instance, use.actuator());
    }

    /** Hosts of which somebody else must say what they stand for. */
    Set<String> names() {
        return databases.stream()
                .flatMap(database -> database.host().stream())
                .filter(host -> !Identifiers.isAddress(host))
                .collect(Collectors.toSet());
    }

    /** With what each host stands for now. */
    CheckedApp at(Map<String, List<String>> addresses) {
        List<AppDatabase> located = databases.stream()
                .map(database -> database.at(database.host()
                        .map(host -> Identifiers.isAddress(host)
                                ? List.of(host)
                                : Identifiers.canonical(addresses.getOrDefault(host, List.of())))
                        .orElse(List.of())))
                .toList();
        return new CheckedApp(app, url, health, located, desired);
    }

    public App next(Optional<App> before) {
        return new App(
                app,
                url,
                health,
                databases,
                desired.or(() -> before.map(App::desired)).orElse(DesiredState.AUTO),
                before.flatMap(App::startingUntil),
                false,
                before.map(App::version).orElse(0L) + 1);
    }
}
