package dev.holdfast.guard;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A database an app uses, in canonical form: names in lower case, the host without a trailing dot, the usual port of its type
 * filled in.
 *
 * @param type such as {@code postgres}
 * @param host where it is reached
 * @param port where it is reached; empty if it was not given and its type has no usual one
 * @param instanceId the machine it lives on, such as an EC2 instance id
 * @param actuator what stops and starts it; empty for the usual one
 * @param addresses what the host stood for when it was registered; empty if that was not known
 */
public record AppDatabase(
        String type,
        Optional<String> host,
        OptionalInt port,
        Optional<String> instanceId,
        Optional<String> actuator,
        List<String> addresses) {
    public AppDatabase {
        addresses = List.copyOf(addresses);
    }

    /** One whose host, or host:port, is as somebody wrote it; what it stands for is not known. */
    public static AppDatabase of(
            String type, Optional<String> place, Optional<String> instanceId, Optional<String> actuator) {
        Optional<Identifiers.Place> found = place.flatMap(Identifiers::place);
        OptionalInt port = found.isPresent() ? found.get().portFor(type) : OptionalInt.empty();
        return new AppDatabase(type, found.map(Identifiers.Place::host), port, instanceId, actuator, List.of());
    }

    public AppDatabase at(List<String> resolved) {
        return new AppDatabase(type, host, port, instanceId, actuator, resolved);
    }

    /** host:port, if both are known. */
    public Optional<String> endpoint() {
        return host.isPresent() && port.isPresent()
                ? Optional.of(host.get() + ":" + port.getAsInt())
                : Optional.empty();
    }

    @Override
    public String toString() {
        return type + " " + endpoint().or(() -> host).or(() -> instanceId).orElse("without a host");
    }
}
