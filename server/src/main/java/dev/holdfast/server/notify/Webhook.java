package dev.holdfast.server.notify;

import dev.holdfast.model.RecordKey;
import dev.holdfast.server.auth.Glob;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Somebody who is told.
 *
 * @param id its name in logs, metrics and documents
 * @param url where; a secret with many receivers
 * @param secret what deliveries are signed with; empty for none
 * @param namespaces of locks in which namespaces; empty for all
 * @param locks of locks with which names; empty for all
 */
public record Webhook(
        String id,
        URI url,
        Optional<String> secret,
        Set<NoticeKind> kinds,
        List<Glob> namespaces,
        List<Glob> locks,
        Format format) {
    public enum Format {
        JSON,
        /** A sentence, as Slack and those like it take it. */
        SLACK
    }

    public Webhook {
        kinds = Set.copyOf(kinds);
        namespaces = List.copyOf(namespaces);
        locks = List.copyOf(locks);
    }

    /** Whether it wants to hear this of this lock. That of the sender itself is nobody's business. */
    boolean wants(NoticeKind kind, RecordKey key) {
        return kinds.contains(kind)
                && !key.equals(Notifier.LOCK)
                && isAmong(namespaces, key.namespace())
                && isAmong(locks, key.name());
    }

    private static boolean isAmong(List<Glob> patterns, String text) {
        return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> pattern.matches(text));
    }

    @Override
    public String toString() {
        return "webhook '" + id + "'";
    }
}
