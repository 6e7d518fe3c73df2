package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;

/**
 * Stops and starts one kind of resource. Calls block, bounded by {@link ActTarget#timeout()}, and are idempotent: stopping what
 * is stopped is done. Safe for any thread.
 */
public interface Actuator {
    /** What a resource calls it by. */
    String name();

    ActResult stop(ActTarget target);

    ActResult start(ActTarget target);

    ResourceState state(ActTarget target);

    /** Whether it only writes down what it was told, and touches nothing: then nobody may be told that something is stopped. */
    default boolean recordsOnly() {
        return false;
    }

    /** Whether it may act on this resource, an EC2 instance id or host:port, as configured; it refuses to act on any other. */
    default boolean allows(String dbIdentifier) {
        return true;
    }
}
