package dev.holdfast.internal.parts;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads with a name, which do not keep the program alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** A thread for this work, not yet started. */
    public static Thread make(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }

    /** The same, started. */
    public static Thread start(String name, Runnable work) {
        Thread thread = make(name, work);
        thread.start();
        return thread;
    }

    /** Threads that all have this name. */
    public static ThreadFactory named(String name) {
        return work -> make(name, work);
    }

    /** Threads of this name and a number: {@code name-1}, {@code name-2}. */
    public static ThreadFactory numbered(String name) {
        AtomicInteger count = new AtomicInteger();
        return work -> make(name + "-" + count.incrementAndGet(), work);
    }
}
