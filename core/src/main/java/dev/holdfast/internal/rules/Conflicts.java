package dev.holdfast.internal.rules;

import dev.holdfast.model.Hold;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.Scope;
import dev.holdfast.model.Waiter;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is in whose way. Overlapping paths conflict unless both are shared, or both are permits on the very same path and
 * one more stays within the smallest limit among them.
 */
final class Conflicts {
    private Conflicts() {}

    /** Whether {@code wanted} can be granted beside these holds, and without passing these earlier waiters. */
    static boolean isFree(Scope wanted, List<Hold> holds, List<Waiter> earlier) {
        for (LockPath path : wanted.paths()) {
            Room room = new Room(path, wanted.mode());
            for (int i = 0; i < holds.size(); i++) {
                if (!room.beside(holds.get(i).scope())) {
                    return false;
                }
            }
            for (int i = 0; i < earlier.size(); i++) {
                if (!room.beside(earlier.get(i).scope())) { // an earlier waiter counts as if it held: no barging
                    return false;
                }
            }
            if (!room.forOneMore()) {
                return false;
            }
        }
        return true;
    }

    /** The holds a caller would be told about: those it shares a path with, unless both only share. */
    static List<Hold> inTheWay(Scope wanted, List<Hold> holds) {
        List<Hold> found = new ArrayList<>(1);
        for (Hold hold : holds) {
            if (touches(wanted, hold.scope()) && !(isShared(wanted) && isShared(hold.scope()))) {
                found.add(hold);
            }
        }
        return found;
    }

    private static boolean touches(Scope a, Scope b) {
        for (LockPath path : a.paths()) {
            for (LockPath other : b.paths()) {
                if (path.overlaps(other)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isShared(Scope scope) {
        return scope.mode().kind() == Mode.Kind.SHARED;
    }

    /** Counts what stands on and around one wanted path. */
    private static final class Room {
        private final LockPath path;
        private final Mode mode;
        private int permits;
        private int limit;

        Room(LockPath path, Mode mode) {
            this.path = path;
            this.mode = mode;
            this.limit = mode.limit();
        }

        /** Takes note of another scope; false if it excludes ours outright. */
        boolean beside(Scope other) {
            List<LockPath> paths = other.paths();
            for (int i = 0; i < paths.size(); i++) {
                LockPath theirs = paths.get(i);
                if (!path.overlaps(theirs)) {
                    continue;
                }
                if (mode.kind() == Mode.Kind.EXCLUSIVE
                        || mode.kind() != other.mode().kind()) {
                    return false;
                }
                if (mode.kind() == Mode.Kind.PERMIT) {
                    if (!path.equals(theirs)) {
                        return false;
                    }
                    permits++;
                    limit = Math.min(limit, other.mode().limit());
                }
            }
            return true;
        }

        boolean forOneMore() {
            return mode.kind() != Mode.Kind.PERMIT || permits + 1 <= limit;
        }
    }
}
