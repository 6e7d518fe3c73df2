package dev.holdfast.guard;

import java.time.Clock;

/** What every piece of work on a resource uses. */
record Workshop(
        GuardFiles files,
        Looks looks,
        Hands hands,
        ResourceLock lock,
        Records records,
        DecisionLog log,
        GuardConfig config,
        Clock clock) {

    static Workshop of(GuardParts parts, GuardConfig config, DecisionLog log) {
        return new Workshop(
                new GuardFiles(parts.documents()),
                new Looks(parts.prober(), config, parts.clock()),
                new Hands(parts, config, log),
                new ResourceLock(parts, config, log),
                new Records(parts, log),
                log,
                config,
                parts.clock());
    }
}
