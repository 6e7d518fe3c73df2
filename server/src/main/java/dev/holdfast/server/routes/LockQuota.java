package dev.holdfast.server.routes;

import dev.holdfast.model.RecordKey;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How many different locks each caller has used lately: each has a record, which the store keeps for a while after its last use. No
 * store can count them by caller, so this remembers which names were asked for here, in two generations of half that
 * time: a name counts for at least the half of it after its last use, and at most for all of it. Who is counted is said by {@link dev.holdfast.server.http.Call#share()}; nobody in particular is not limited. Safe for any thread.
 */
public final class LockQuota {
    /** Names remembered in all; beyond it the caller not seen for longest is forgotten. */
    private static final int MAX_REMEMBERED = 500_000;

    private final int each;
    private final long generation;
    private final LongSupplier nanos;
    private final Map<String, Names> callers = new LinkedHashMap<>(16, 0.75f, true);
    private int remembered;

    /** The names of one caller, by their hashes: two that are taken for one do no harm. */
    private static final class Names {
        private Set<Long> recent = new HashSet<>();
        private Set<Long> before = new HashSet<>();
        private long since;

        int size() {
            return recent.size() + before.size();
        }
    }

    /** So many for each, where records are kept for so long. */
    public LockQuota(int each, Duration retention, LongSupplier nanos) {
        this.each = each;
        this.generation = retention.toNanos() / 2;
        this.nanos = nanos;
    }

    /** Whether this caller may use this lock: one it has used lately, or one more. */
    public synchronized boolean admits(String share, RecordKey key) {
        if (share.isEmpty()) {
            return true;
        }
        Names names = callers.computeIfAbsent(share, it -> new Names());
        turn(names);
        Long hash = hash(key);
        if (names.recent.contains(hash)) {
            return true;
        }
        boolean known = names.before.remove(hash);
        remembered -= known ? 1 : 0;
        if (!known && names.size() >= each) {
            return false;
        }
        names.recent.add(hash);
        remembered++;
        forgetSome();
        return true;
    }

    /** Names that were not used for a whole generation are forgotten with the next. */
    private void turn(Names names) {
        long now = nanos.getAsLong();
        if (names.size() == 0) {
            names.since = now;
        } else if (now - names.since > 2 * generation) {
            remembered -= names.size();
            names.recent = new HashSet<>();
            names.before = new HashSet<>();
            names.since = now;
        } else if (now - names.since > generation) {
            remembered -= names.before.size();
            names.before = names.recent;
            names.recent = new HashSet<>();
            names.since += generation;
        }
    }

    /** Those who did not come for long, and of the others those not seen for longest, if there are too many names. */
    private void forgetSome() {
        long now = nanos.getAsLong();
        Iterator<Names> eldest = callers.values().iterator();
        while (callers.size() > 1) {
            Names names = eldest.next();
            if (remembered <= MAX_REMEMBERED && now - names.since <= 2 * generation) {
                return;
            }
            remembered -= names.size();
            eldest.remove();
        }
    }

    synchronized int callers() {
        return callers.size();
    }

    private static long hash(RecordKey key) {
        long hash = 0xcbf29ce484222325L;
        for (String part : new String[] {key.namespace(), "/", key.name()}) {
            for (int i = 0; i < part.length(); i++) {
                hash = (hash ^ part.charAt(i)) * 0x100000001b3L;
            }
        }
        return hash;
    }
}
