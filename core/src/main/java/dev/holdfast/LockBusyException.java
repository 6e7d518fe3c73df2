package dev.holdfast;

import dev.holdfast.model.LockKey;
import java.util.List;

/** The lock was not free in time. Says who holds it, why and until when. */
public final class LockBusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient List<Holder> holders;

    LockBusyException(LockKey key, List<Holder> holders, int waiting) {
        super(message(key, holders, waiting));
        this.holders = List.copyOf(holders);
    }

    /** Who holds what is in the way; empty when only waiters are. */
    public List<Holder> holders() {
        return holders;
    }

    private static String message(LockKey key, List<Holder> holders, int waiting) {
        StringBuilder text = new StringBuilder("Lock '").append(key.name()).append('\'');
        if (!key.path().isWhole()) {
            text.append(" at '").append(key.path()).append('\'');
        }
        text.append(" in '").append(key.namespace()).append("' is ");
        if (holders.isEmpty()) {
            text.append("wanted by ").append(waiting).append(" others who came first");
        } else {
            Holder first = holders.get(0);
            text.append("held by '").append(first.owner()).append('\'');
            if (!first.reason().isEmpty()) {
                text.append(" (").append(first.reason()).append(')');
            }
            text.append(first.expiresAt()
                    .map(end -> " until " + end + " unless renewed")
                    .orElse(" without end"));
            if (holders.size() > 1) {
                text.append(" and ").append(holders.size() - 1).append(" more");
            }
        }
        return text.append(". Wait longer, or ask its holder").toString();
    }
}
