package dev.holdfast.guard;

import java.util.Arrays;
import java.util.Optional;

/** What a resource is doing. */
public enum ResourceState {
    /** It can be used. */
    RUNNING,
    STOPPING,
    STOPPED,
    STARTING,
    /** Nobody can say. */
    UNKNOWN;

    /** The state with this name, in any letters. */
    public static Optional<ResourceState> of(String word) {
        return Arrays.stream(values())
                .filter(state -> state.name().equalsIgnoreCase(word))
                .findFirst();
    }
}
