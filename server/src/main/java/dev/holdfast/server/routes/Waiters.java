package dev.holdfast.server.routes;

import dev.holdfast.internal.engine.Acquisition;
import dev.holdfast.server.auth.CredentialStanding;
import dev.holdfast.server.http.Shares;
import dev.holdfast.server.http.StageContinuation;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the requests that wait, in each namespace and of each caller: none of them must use up the places of all. Safe for any
 * thread.
 */
public final class Waiters {
    private final Shares namespaces;
    private final Shares callers;
    private final Set<Acquisition> parked = ConcurrentHashMap.newKeySet();
    private volatile boolean stopping;

    public Waiters(int perNamespace, int perCaller) {
        this.namespaces = new Shares(perNamespace);
        this.callers = new Shares(perCaller);
    }

    /** One more of this caller, see {@link dev.holdfast.server.http.Call#share()}, unless there are too many. */
    public boolean enter(String namespace, String share) {
        if (!callers.take(share)) {
            return false;
        }
        if (namespaces.take(namespace)) {
            return true;
        }
        callers.giveBack(share);
        return false;
    }

    /** From now on it can be told to come back; when the credentials of its caller end, its place is given up. */
    public void park(Acquisition acquisition, CredentialStanding standing) {
        parked.add(acquisition);
        Runnable forget = standing.whenOver(acquisition::cancel);
        StageContinuation.then(acquisition.answer(), (answer, failure) -> {
            parked.remove(acquisition);
            forget.run();
        });
        if (stopping) { // its body came after all others had been told
            acquisition.leave();
        }
    }

    /** How many requests wait here now; a place that is kept for one that ended is none. */
    public int size() {
        return parked.size();
    }

    /** All who wait, or will, are told where they stand, and to come back: here, or to another server. */
    public void tellAll() {
        stopping = true;
        parked.forEach(Acquisition::leave);
    }

    public void leave(String namespace, String share) {
        namespaces.giveBack(namespace);
        callers.giveBack(share);
    }
}
