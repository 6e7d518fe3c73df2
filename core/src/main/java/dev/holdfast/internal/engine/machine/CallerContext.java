package dev.holdfast.internal.engine.machine;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What callers have on their thread besides the call, such as a trace or a diagnostic context, and want to find again where their code runs
 * later. Taken when the call is made; runs what it is given at once, on whatever thread that is, one task at a time.
 *
 * <p>It is foreign code: if it fails, the task runs without it, since somebody waits for that.
 */
public final class CallerContext implements Executor {
    /** Callers have nothing to keep. */
    public static final UnaryOperator<Runnable> NONE = task -> task;

    private static final Logger LOG = LoggerFactory.getLogger(CallerContext.class);
    private static final Executor WITHOUT = Runnable::run;

    private final Runnable wrapped;
    private final AtomicReference<@Nullable Runnable> due = new AtomicReference<>();
    /** By a task, not by the context. */
    private volatile @Nullable Throwable thrown;

    private CallerContext(UnaryOperator<Runnable> wrap) {
        wrapped = wrap.apply(this::runDue);
    }

    /**
     * That of the calling thread, as it is now.
     *
     * @param wrap makes of a task the same task in the context of the thread that calls {@code wrap}
     */
    public static Executor taken(UnaryOperator<Runnable> wrap) {
        if (wrap == NONE) {
            return WITHOUT;
        }
        try {
            return new CallerContext(wrap);
        } catch (Throwable e) { // other languages throw what they do not declare
            LOG.error("The context of a call could not be kept; what follows the call runs without it", e);
            return WITHOUT;
        }
    }

    @Override
    public void execute(Runnable task) {
        due.set(task);
        try {
            wrapped.run();
        } catch (Throwable e) {
            Throwable byTask = thrown;
            if (e == byTask && byTask instanceof RuntimeException failure) {
                throw failure;
            }
            if (e == byTask && byTask instanceof Error error) {
                throw error;
            }
            LOG.error("The context of a call could not be restored; what follows the call runs all the same", e);
        }
        runDue();
    }

    /** Never twice, however often it is called. */
    private void runDue() {
        Runnable task = due.getAndSet(null);
        if (task != null) {
            try {
                task.run();
            } catch (RuntimeException | Error e) {
                thrown = e;
                throw e;
            }
        }
    }
}
