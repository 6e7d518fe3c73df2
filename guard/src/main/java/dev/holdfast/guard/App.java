package dev.holdfast.guard;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A registered app.
 *
 * @param name its name
 * @param url where it is probed
 * @param health how its answers are understood
 * @param databases what it uses
 * @param desired what is wished for it
 * @param startingUntil set by its start: until then, or until it is seen up, it counts as starting
 * @param leaving whether it was unregistered, and is only kept until what it named is no longer being acted on
 * @param version of this registration: one more with every change
 */
public record App(
        String name,
        URI url,
        HealthCheck health,
        List<AppDatabase> databases,
        DesiredState desired,
        Optional<Instant> startingUntil,
        boolean leaving,
        long version) {
    public App {
        databases = List.copyOf(databases);
    }

    /** Whether it was told to start and has not been seen up yet, nor has run out of time. */
    public boolean isStarting(Instant now) {
        return startingUntil.isPresent() && now.isBefore(startingUntil.get());
    }

    public App wished(DesiredState other, Optional<Instant> starting) {
        return new App(name, url, health, databases, other, starting, leaving, version + 1);
    }

    /** As it was before it was unregistered. */
    public App staying() {
        return new App(name, url, health, databases, desired, startingUntil, false, version);
    }

    public App goingAway() {
        return new App(name, url, health, databases, desired, Optional.empty(), true, version + 1);
    }
}
