package dev.holdfast.server.routes;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import java.util.List;
import java.util.Optional;

/**
 * Where a caller who names no namespace is looked for locks and events: everywhere, or one readable namespace after the other. What it
 * may not read is not even passed over, so that no cursor ever names it.
 */
final class Readable {
    private Readable() {}

    /** The places to look at, in order; one that is empty means all namespaces. */
    static List<Optional<String>> places(Optional<String> asked, Grants grants) {
        if (asked.isPresent() || grants.mayEverywhere(Role.READ)) {
            return List.of(asked);
        }
        return grants.roles().keySet().stream()
                .filter(namespace -> grants.may(Role.READ, namespace))
                .sorted()
                .map(Optional::of)
                .toList();
    }
}
