package dev.holdfast.guard;

import dev.holdfast.internal.parts.ShownText;
import java.util.List;
import java.util.Optional;

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

    public static final int MAX_URL = 2_000;

    /** What an app may be called. */
    public static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,63}";

    /**
     * A database as somebody names it.
     *
     * @param type such as {@code postgres}
     * @param host host, or host:port
     * @param instanceId the machine it lives on
     * @param actuator what stops and starts it
     */
    public record Use(String type, Optional<String> host, Optional<String> instanceId, Optional<String> actuator) {}

    public Registration {
        databases = List.copyOf(databases);
    }

    /** One whose answers are understood as usual. */
    public Registration(String app, String url, List<Use> databases, Optional<String> desired) {
        this(app, url, databases, desired, Optional.empty());
    }

    /** Somebody else's text in a message of ours: short and harmless. */
    public static String shown(String text) {
        return ShownText.of(text);
    }
}
