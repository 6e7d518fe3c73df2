package dev.holdfast.server.about;

import java.time.Instant;

/**
 * What there is to know of a server that does not change while it runs.
 *
 * @param node name of this replica
 * @param store kind of the store, such as {@code postgresql}
 * @param storeShared whether other processes can use the same store: only then can there be other replicas
 * @param metrics whether it has any to show
 * @param startedAt when it was started, by the clock of its machine
 * @param startedNanos the same on the clock that never jumps
 */
public record ServerFacts(
        String node,
        String version,
        String store,
        boolean storeShared,
        boolean metrics,
        Instant startedAt,
        long startedNanos) {}
