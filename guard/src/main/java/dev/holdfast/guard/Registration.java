package dev.holdfast.guard;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An app as somebody wants it registered; nothing in it is checked yet.
 *
 * @param app its name
 * @param url where it is probed; http or https
 * @param databases what it uses
 * @param desired {@code auto}, {@code running} or {@code stopped}; empty: as it is, {@code auto} if it is new
 * @param health how its answers are understood; empty for what is usual
 */
public record Registration(
        String app, String url, List<Use> databases, Optional<String> desired, Optional<HealthCheck.Spec> health) {
    /** Most databases of an app: each is judged under its own lock. */
    public static final int MAX_DATABASES = 16;
    /** Longest URL. */
    public static final int MAX_URL = 2_000;

    static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    /**
     * A database as somebody names it.
     *
     * @param type such as {@code postgres}
     * @param host host, or host:port
     * @param instanceId the machine it lives on
     * @param actuator what stops and starts it
     */
    public record Use(String type, Optional<String> host, Optional<String> instanceId, Optional<String> actuator) {}

    /** Keeps its own copy. */
    public Registration {
        databases = List.copyOf(databases);
    }

    /** One whose answers are understood as usual. */
    public Registration(String app, String url, List<Use> databases, Optional<String> desired) {
        this(app, url, databases, desired, Optional.empty());
    }

    /** Adds what is wrong with it to the list; actuators must be among the known ones. */
    Checked check(Set<String> actuators, List<String> problems) {
        if (!app.matches(NAME)) {
            problems.add("app '" + shown(app)
                    + "' must be 1 to 64 letters, digits, '.', '_' and '-', a letter or digit first");
        }
        if (databases.size() > MAX_DATABASES) {
            problems.add("app '" + shown(app) + "' has " + databases.size() + " databases; " + MAX_DATABASES
                    + " are possible");
        }
        List<AppDatabase> canonical = new ArrayList<>();
        for (int i = 0; i < Math.min(databases.size(), MAX_DATABASES); i++) {
            canonical.add(database(databases.get(i), "databases[" + i + "].", actuators, problems));
        }
        Optional<Desired> wish = desired.flatMap(Desired::of);
        if (desired.isPresent() && wish.isEmpty()) {
            problems.add("desired '" + shown(desired.get()) + "' must be auto, running or stopped");
        }
        HealthCheck understood = health.map(given -> given.check(problems)).orElse(HealthCheck.USUAL);
        return new Checked(app, address(problems), understood, canonical, wish);
    }

    /** Checked and canonical, if nothing was wrong. */
    record Checked(String app, URI url, HealthCheck health, List<AppDatabase> databases, Optional<Desired> desired) {
        /** Hosts of which somebody else must say what they stand for. */
        Set<String> names() {
            return databases.stream()
                    .flatMap(database -> database.host().stream())
                    .filter(host -> !Identifiers.isAddress(host))
                    .collect(Collectors.toSet());
        }

        /** With what each host stands for now. */
        Checked at(Map<String, List<String>> addresses) {
            List<AppDatabase> located = databases.stream()
                    .map(database -> database.at(database.host()
                            .map(host -> Identifiers.isAddress(host)
                                    ? List.of(host)
                                    : Identifiers.canonical(addresses.getOrDefault(host, List.of())))
                            .orElse(List.of())))
                    .toList();
            return new Checked(app, url, health, located, desired);
        }

        App next(Optional<App> before) {
            return new App(
                    app,
                    url,
                    health,
                    databases,
                    desired.or(() -> before.map(App::desired)).orElse(Desired.AUTO),
                    before.flatMap(App::startingUntil),
                    false,
                    before.map(App::version).orElse(0L) + 1);
        }
    }

    private URI address(List<String> problems) {
        try {
            URI uri = new URI(url);
            String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
            if (!scheme.equals("http") && !scheme.equals("https")) {
                problems.add("url '" + shown(url) + "' must start with http:// or https://");
            } else if (uri.getHost() == null) {
                problems.add("url '" + shown(url) + "' names no host");
            } else if (uri.getUserInfo() != null) {
                problems.add("url must not carry a user or password"); // and is not repeated here
            } else if (url.length() > MAX_URL) {
                problems.add("url has " + url.length() + " characters; " + MAX_URL + " are possible");
            } else if (uri.getPort() > 65_535) {
                problems.add("url '" + shown(url) + "' names a port above 65535");
            }
            return uri;
        } catch (URISyntaxException e) {
            problems.add("url '" + shown(url) + "' is malformed: " + e.getReason());
            return URI.create("http://invalid/");
        }
    }

    private static AppDatabase database(Use use, String at, Set<String> actuators, List<String> problems) {
        String type = Identifiers.type(use.type());
        if (!type.matches("[a-z][a-z0-9_-]{0,31}")) {
            problems.add(at + "type '" + shown(use.type()) + "' must be 1 to 32 letters, digits, '_' and '-', such as"
                    + " postgres or neo4j");
        }
        if (use.host().isPresent() && Identifiers.place(use.host().get()).isEmpty()) {
            problems.add(at + "host '" + shown(use.host().get())
                    + "' must be a host name (1 to 180 characters) or address, or host:port with a port from 1 to 65535");
        }
        Optional<String> instance = use.instanceId().map(id -> id.toLowerCase(Locale.ROOT));
        if (instance.isPresent() && !instance.get().matches("[a-z0-9][a-z0-9._-]{0,127}")) {
            problems.add(at + "instance_id '" + shown(instance.get())
                    + "' must be 1 to 128 letters, digits, '.', '_' and '-', such as i-0abc1234");
        }
        if (use.actuator().isPresent() && !actuators.contains(use.actuator().get())) {
            problems.add(at + "actuator '" + shown(use.actuator().get()) + "' is not configured. Configured here: "
                    + String.join(", ", actuators.stream().sorted().toList()));
        }
        return AppDatabase.of(type, use.host(), instance, use.actuator());
    }

    /** Somebody else's text in a message of ours: short and harmless. */
    static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() <= 80 ? clean : clean.substring(0, 77) + "...";
    }
}
