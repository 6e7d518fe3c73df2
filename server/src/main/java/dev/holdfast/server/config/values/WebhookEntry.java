package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Glob;
import java.util.List;
import java.util.Optional;

/**
 * A webhook as it is configured. Neither the address nor the secret is shown: addresses of chat systems are secrets themselves.
 *
 * @param id its name in logs, metrics and deliveries
 * @param url where it is told, or {@code env:NAME} or {@code file:PATH}, where that stands
 * @param secret what deliveries are signed with, or where it stands; empty for one that is not signed
 * @param namespaces of locks in which namespaces; empty for all
 * @param locks of locks with which names; empty for all
 * @param format how it is told, {@code json} or {@code slack}
 */
public record WebhookEntry(
        String id,
        String url,
        Optional<String> secret,
        List<String> events,
        List<Glob> namespaces,
        List<Glob> locks,
        String format) {
    /** All that can be told, in the words of the events; {@code lock.waiting} is one only here. */
    public static final List<String> EVENTS =
            List.of("lock.stale", "lock.forced", "lock.lost", "lock.expired", "lock.waiting", "guard.decision");

    public WebhookEntry {
        events = List.copyOf(events);
        namespaces = List.copyOf(namespaces);
        locks = List.copyOf(locks);
    }

    @Override
    public String toString() {
        return "webhook " + id;
    }
}
