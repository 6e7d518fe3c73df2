package dev.holdfast;

import dev.holdfast.failure.HoldfastException;
import dev.holdfast.model.LockKey;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The lock was not free in time. Says who holds it, why and until when. */
public final class LockBusyException extends HoldfastException {
    private static final long serialVersionUID = 1;

    private final transient @Nullable LockKey key;
    private final transient @Nullable List<Holder> holders;

    LockBusyException(LockKey key, List<Holder> holders, int waiting) {
        super(message(key, holders, waiting), null);
        this.key = key;
        this.holders = List.copyOf(holders);
    }

    /** Which lock; empty if the exception came from another process, which sends only its message. */
    public Optional<LockKey> key() {
        return Optional.ofNullable(key);
    }

    /** Who holds what is in the way; empty when only waiters are, or the exception came from another process. */
    public List<Holder> holders() {
        return holders == null ? List.of() : holders;
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
