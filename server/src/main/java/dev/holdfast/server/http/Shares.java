package dev.holdfast.server.http;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * How much of something each caller uses, and that none has more than its share. Who is counted is said by {@link Call#share()}; the
 * empty text is nobody in particular, and not limited. Remembers only who uses something now. Safe for any thread.
 */
public final class Shares {
    private final long each;
    private final ConcurrentMap<String, Long> used = new ConcurrentHashMap<>();

    public Shares(long each) {
        this.each = each;
    }

    /** So much more, to be given back once; false if that is more than the share. */
    public boolean take(String who, long much) {
        if (who.isEmpty()) {
            return true;
        }
        if (used.merge(who, much, Long::sum) <= each) {
            return true;
        }
        giveBack(who, much);
        return false;
    }

    public boolean take(String who) {
        return take(who, 1);
    }

    /** Whether one more would be more than the share. */
    public boolean isUsedUp(String who) {
        return !who.isEmpty() && used.getOrDefault(who, 0L) >= each;
    }

    public void giveBack(String who, long much) {
        if (!who.isEmpty()) {
            used.computeIfPresent(who, (key, now) -> now <= much ? null : now - much);
        }
    }

    public void giveBack(String who) {
        giveBack(who, 1);
    }

    int size() {
        return used.size();
    }
}
