package dev.holdfast.server.routes;

import dev.holdfast.model.EventType;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.Names;
import dev.holdfast.server.http.Query;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What of the history is wanted that no store looks for by itself: it is picked here from what the store gives, a bounded number of
 * events at a time.
 *
 * @param types any of these; empty for all
 * @param owner exactly this, or with {@code *} at the end whatever begins so
 * @param actor likewise
 * @param prefix how names of locks begin
 */
record HistoryFilter(List<EventType> types, Optional<String> owner, Optional<String> actor, String prefix) {
    /** A single kind is not among it: stores look for that. */
    static HistoryFilter of(Query query, List<EventType> types) {
        return new HistoryFilter(
                types.size() > 1 ? types : List.of(),
                query.text("owner", text -> Names.text("owner", text, 1)),
                query.text("actor", text -> Names.text("actor", text, 1)),
                LockParameters.prefix(query));
    }

    boolean isNone() {
        return types.isEmpty() && owner.isEmpty() && actor.isEmpty() && prefix.isEmpty();
    }

    boolean matches(LockEvent event) {
        return (types.isEmpty() || types.contains(event.type()))
                && owner.filter(Predicate.not(wanted -> isLike(wanted, event.owner())))
                        .isEmpty()
                && actor.filter(Predicate.not(wanted -> isLike(wanted, event.actor())))
                        .isEmpty()
                && event.key().name().startsWith(prefix);
    }

    private static boolean isLike(String wanted, String text) {
        return wanted.endsWith("*") ? text.startsWith(wanted.substring(0, wanted.length() - 1)) : text.equals(wanted);
    }
}
