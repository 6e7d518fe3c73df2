package dev.holdfast.cli.locks;

import dev.holdfast.Holder;
import dev.holdfast.LockView;
import dev.holdfast.cli.text.Ages;
import dev.holdfast.cli.text.KeyText;
import dev.holdfast.cli.text.Screen;
import dev.holdfast.model.LockEvent;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.wire.Rfc3339;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** A lock in plain English. Computes only; what it is told is what was read. */
record Explanation(LockView lock, PastHolds past) {
    /** More names than this help nobody. */
    private static final int NAMES = 5;
    /** Fewer times say nothing about the next. */
    private static final int ENOUGH = 5;

    String text() {
        StringJoiner text = new StringJoiner(" ");
        text.add("Lock " + KeyText.of(lock.key()) + " is" + (lock.isFree() ? " " + free() : ""));
        lock.holders().stream().limit(NAMES).forEach(holder -> text.add(held(holder)));
        if (lock.holders().size() > NAMES) {
            text.add("And " + (lock.holders().size() - NAMES) + " more hold it.");
        }
        usually().ifPresent(text::add);
        text.add(waiting());
        return Screen.clean(text.toString().strip());
    }

    // ---- who holds it

    private String free() {
        if (!lock.waiters().isEmpty()) {
            return "free, but reserved for the first in the queue.";
        }
        if (past.last().isEmpty()) {
            return lock.latestToken().value() == 0 ? "free. Nobody is known to have held it." : "free.";
        }
        LockEvent last = past.last().get();
        return "free. '" + last.owner() + "'" + (last.reason().isEmpty() ? "" : " (" + last.reason() + ")")
                + " had it last, " + ended(last) + " " + ago(last.at()) + ".";
    }

    private static String ended(LockEvent last) {
        return switch (last.type()) {
            case EXPIRED -> "and let it expire";
            case FORCED -> "until '" + last.actor() + "' ended that by force";
            case LOST -> "and lost it";
            default -> "for " + Ages.of(last.lasted()) + ", and gave it back";
        };
    }

    private String held(Holder holder) {
        boolean first = holder.equals(lock.holders().get(0));
        return (first ? "held by '" : "It is also held by '") + holder.owner() + "'" + part(holder.paths())
                + shared(holder.mode()) + (holder.reason().isEmpty() ? "" : ", for \"" + holder.reason() + "\"")
                + ", since " + Rfc3339.text(holder.grantedAt()) + " (" + ago(holder.grantedAt())
                + "), with fencing token " + holder.token() + ". " + heartbeat(holder) + end(holder);
    }

    private static String part(List<LockPath> paths) {
        String text = LockLines.paths(paths);
        return text.isEmpty() ? "" : ", but only its part '" + text + "'";
    }

    private static String shared(Mode mode) {
        return switch (mode.kind()) {
            case EXCLUSIVE -> "";
            case SHARED -> ", shared with others who share it";
            case PERMIT -> ", as one of at most " + mode.limit();
        };
    }

    private String heartbeat(Holder holder) {
        boolean renewed = holder.renewedAt().isAfter(holder.grantedAt());
        if (holder.stale()) {
            return "It looks abandoned: "
                    + (renewed ? "its last heartbeat was " + ago(holder.renewedAt()) : "it has never sent a heartbeat")
                    + ". ";
        }
        return renewed
                ? "Its last heartbeat was " + ago(holder.renewedAt()) + ". "
                : "It has not been renewed so far. ";
    }

    private String end(Holder holder) {
        return holder.expiresAt()
                .map(end -> "Unless renewed it ends in " + Ages.between(lock.at(), end) + ".")
                .orElse("It does not end by itself.");
    }

    // ---- how long it takes

    private Optional<String> usually() {
        if (past.finished().isEmpty()) {
            return lock.isFree()
                    ? Optional.empty()
                    : Optional.of("How long it usually takes is not known yet: no hold has ended so far.");
        }
        int holds = past.finished().size();
        if (holds == 1) {
            return Optional.of("The only hold before took " + Ages.of(past.median()) + ".");
        }
        if (holds < ENOUGH) {
            return Optional.of("The last " + holds + " holds took between "
                    + Ages.of(past.finished().get(0)) + " and " + Ages.of(past.longest()) + ".");
        }
        String known = "It usually takes about " + Ages.of(past.median()) + " (the longest of the last " + holds
                + " took " + Ages.of(past.longest()) + ")";
        return Optional.of(known + (lock.holders().size() == 1 ? outlook() : "") + ".");
    }

    private String outlook() {
        Duration held = Duration.between(lock.holders().get(0).grantedAt(), lock.at());
        if (held.compareTo(past.longest()) > 0) {
            return "; this one is already longer than any of them";
        }
        Duration left = past.median().minus(held);
        return left.isNegative() || left.isZero()
                ? ", so it is overdue, though some took longer"
                : ", so it may be free in about " + Ages.of(left);
    }

    // ---- who waits

    private String waiting() {
        List<LockView.Waiting> waiters = lock.waiters();
        if (waiters.isEmpty()) {
            return lock.isFree() ? "" : "Nobody waits for it.";
        }
        StringJoiner names = new StringJoiner(
                ", ",
                waiters.size() == 1
                        ? "One caller is waiting: "
                        : waiters.size() + " callers are waiting, in this order: ",
                "");
        for (LockView.Waiting waiter : waiters.subList(0, Math.min(NAMES, waiters.size()))) {
            names.add("'" + waiter.owner() + "' (for " + Ages.between(waiter.since(), lock.at()) + ")");
        }
        return names + (waiters.size() > NAMES ? " and " + (waiters.size() - NAMES) + " more." : ".");
    }

    private String ago(Instant time) {
        return Ages.between(time, lock.at()) + " ago";
    }
}
