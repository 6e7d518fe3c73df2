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
 * @param databases what it uses
 * @param desired what is wished for it
 * @param startingUntil set by its start: until then, or until it is seen up, it counts as starting
 * @param version of this registration: one more with every change
 */
public record App(
        String name,
        URI url,
        List<Database> databases,
        Desired desired,
        Optional<Instant> startingUntil,
        long version) {
    /** Keeps its own copy. */
    public App {
        databases = List.copyOf(databases);
    }

    /** Whether it was told to start and has not been seen up yet, nor has run out of time. */
    public boolean isStarting(Instant now) {
        return startingUntil.isPresent() && now.isBefore(startingUntil.get());
    }

    App wished(Desired other, Optional<Instant> starting) {
        return new App(name, url, databases, other, starting, version + 1);
    }
}
