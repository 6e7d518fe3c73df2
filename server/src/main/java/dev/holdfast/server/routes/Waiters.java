package dev.holdfast.server.routes;

import dev.holdfast.engine.Acquisition;
import dev.holdfast.server.auth.Standing;
import dev.holdfast.server.http.Later;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Counts the requests that wait in each namespace: one namespace must not use up the places of all. Safe for any thread. */
public final class Waiters {
    private final int perNamespace;
    private final ConcurrentMap<String, Integer> waiting = new ConcurrentHashMap<>();
    private final Set<Acquisition> parked = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    /** At most so many. */
    public Waiters(int perNamespace) {
        this.perNamespace = perNamespace;
    }

    /** One more, unless there are too many. */
    boolean enter(String namespace) {
        return waiting.merge(namespace, 1, Integer::sum) <= perNamespace || refuse(namespace);
    }

    private boolean refuse(String namespace) {
        leave(namespace);
        return false;
    }

    /** From now on it can be told to come back; when the credentials of its caller end, its place is given up. */
    public void park(Acquisition acquisition, Standing standing) {
        parked.add(acquisition);
        Runnable forget = standing.whenOver(acquisition::cancel);
        Later.then(acquisition.answer(), (answer, failure) -> {
            parked.remove(acquisition);
            forget.run();
        });
        if (stopping) { // its body came after all others had been told
            acquisition.leave();
        }
    }

    /** All who wait, or will, are told where they stand, and to come back: here, or to another server. */
    public void tellAll() {
        stopping = true;
        parked.forEach(Acquisition::leave);
    }

    void leave(String namespace) {
        waiting.computeIfPresent(namespace, (key, count) -> count == 1 ? null : count - 1);
    }
}
