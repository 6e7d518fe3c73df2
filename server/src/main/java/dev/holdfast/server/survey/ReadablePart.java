package dev.holdfast.server.survey;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.spi.ScanRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Where locks are looked for on somebody's behalf: everywhere, or one part that it may read after the other. What it may not read is not
 * even passed over, so that no cursor names it.
 *
 * @param namespace in which; empty: all
 * @param prefix how names begin there
 */
public record ReadablePart(Optional<String> namespace, String prefix) {
    /** The parts to look at, in order, none within another; none if nothing of what is asked for may be read. */
    public static List<ReadablePart> parts(Optional<String> asked, String prefix, Grants grants) {
        if (grants.mayEverywhere(Role.READ)
                || asked.filter(namespace -> grants.mayThroughout(Role.READ, namespace))
                        .isPresent()) {
            return List.of(new ReadablePart(asked, prefix));
        }
        List<ReadablePart> all = new ArrayList<>();
        for (Grants.Part part : grants.parts(Role.READ)) {
            if (asked.filter(namespace -> !namespace.equals(part.namespace())).isEmpty()) {
                narrower(prefix, part.prefix())
                        .ifPresent(both -> all.add(new ReadablePart(Optional.of(part.namespace()), both)));
            }
        }
        all.sort(Comparator.comparing((ReadablePart part) -> part.namespace.orElse(""))
                .thenComparing(ReadablePart::prefix));
        List<ReadablePart> apart = new ArrayList<>();
        for (ReadablePart part : all) { // one within another comes right behind it
            if (apart.isEmpty() || !apart.get(apart.size() - 1).contains(part)) {
                apart.add(part);
            }
        }
        return List.copyOf(apart);
    }

    /** Where somebody may read, as it was granted: two with the same places see the same locks. */
    public static Set<String> places(Grants grants) {
        return grants.mayEverywhere(Role.READ)
                ? Set.of(Grants.EVERYWHERE)
                : grants.roles().entrySet().stream()
                        .filter(granted -> granted.getValue().stream().anyMatch(role -> role.implies(Role.READ)))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toUnmodifiableSet());
    }

    /** Asks a store for what is there, free locks only if not {@code onlyBusy}. */
    public ScanRequest scan(boolean onlyBusy, Optional<String> cursor, int limit) {
        ScanRequest all = new ScanRequest(namespace, prefix, ScanRequest.Which.ALL, cursor, limit);
        return onlyBusy ? all.busy() : all;
    }

    private static Optional<String> narrower(String one, String other) {
        if (one.startsWith(other)) {
            return Optional.of(one);
        }
        return other.startsWith(one) ? Optional.of(other) : Optional.empty();
    }

    private boolean contains(ReadablePart other) {
        return namespace.equals(other.namespace) && other.prefix.startsWith(prefix);
    }

    /** For a cursor, which is of one of several parts. */
    public String spelling() {
        return namespace.orElse("") + "/" + prefix;
    }
}
