package dev.holdfast.server.observe.load;

import dev.holdfast.model.Cause;
import java.util.concurrent.Callable;

/**
 * For which request this thread works now. Documents are read and written deep below the call that wants it, by parts that know of no
 * calls; what took long there is told with the request all the same.
 */
public final class CurrentRequest {
    private static final ThreadLocal<Cause> NOW = new ThreadLocal<>();

    private CurrentRequest() {}

    public static <T> T during(Cause request, Callable<T> work) throws Exception {
        NOW.set(request);
        try {
            return work.call();
        } finally {
            NOW.remove();
        }
    }

    /** Whose it is; nobody's where the server works for itself. */
    static Cause cause() {
        Cause now = NOW.get();
        return now == null ? Cause.OWNER : now;
    }
}
