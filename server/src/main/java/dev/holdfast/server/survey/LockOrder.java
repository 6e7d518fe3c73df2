package dev.holdfast.server.survey;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/** What comes first in a list of locks. */
public enum LockOrder {
    /** Of the stores: by namespace, then by name. It alone can be gone through page by page. */
    KEY,
    /** Held longest. */
    HELD,
    /** Ends first unless renewed. */
    ENDS,
    /** Most who wait. */
    WAITING;

    public static LockOrder of(String text) {
        return LockFilter.spelled(values(), text);
    }

    /** Locks in this order; those that are alike by their keys. */
    public Comparator<LockView> comparator() {
        Comparator<LockView> byKey = Comparator.comparing(LockView::key);
        return switch (this) {
            case KEY -> byKey;
            case HELD -> Comparator.comparing(LockOrder::firstGrant).thenComparing(byKey);
            case ENDS -> Comparator.comparing(LockOrder::firstEnd).thenComparing(byKey);
            case WAITING ->
                Comparator.comparing((LockView lock) -> -lock.waiters().size()).thenComparing(byKey);
        };
    }

    private static Instant firstGrant(LockView lock) {
        return lock.holders().stream()
                .map(Holder::grantedAt)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }

    private static Instant firstEnd(LockView lock) {
        return lock.holders().stream()
                .map(Holder::expiresAt)
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(Instant.MAX);
    }
}
