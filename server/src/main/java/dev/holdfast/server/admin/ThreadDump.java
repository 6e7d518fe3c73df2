package dev.holdfast.server.admin;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;

/** What every thread of this process does, as {@code kill -3} would print it, with a line about memory first. */
final class ThreadDump {
    /** Threads that are shown; a process with more has another problem, which the count tells. */
    private static final int MOST = 2_000;

    private static final int MAX_FRAMES = 200;

    private ThreadDump() {}

    static String text() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ThreadInfo[] all = threads.dumpAllThreads(
                threads.isObjectMonitorUsageSupported(), threads.isSynchronizerUsageSupported(), MAX_FRAMES);
        Arrays.sort(all, Comparator.comparing(ThreadInfo::getThreadName));
        StringBuilder text = new StringBuilder(64 << 10);
        Runtime runtime = Runtime.getRuntime();
        long used = (runtime.totalMemory() - runtime.freeMemory()) >> 20;
        text.append(Instant.now() + ": " + all.length + " threads; heap " + used + " MB used of "
                + (runtime.maxMemory() >> 20) + " MB\n");
        long[] stuck = threads.findDeadlockedThreads();
        if (stuck != null) {
            text.append("Deadlocked: threads ").append(Arrays.toString(stuck)).append('\n');
        }
        Arrays.stream(all).limit(MOST).forEach(thread -> append(text, thread));
        return text.toString();
    }

    private static void append(StringBuilder text, ThreadInfo thread) {
        text.append("\n\"" + thread.getThreadName() + "\" #" + thread.getThreadId()
                + (thread.isDaemon() ? " daemon " : " ") + thread.getThreadState());
        LockInfo waitsFor = thread.getLockInfo();
        if (waitsFor != null) {
            text.append(" for ").append(waitsFor);
        }
        if (thread.getLockOwnerName() != null) {
            text.append(" held by \"").append(thread.getLockOwnerName()).append('"');
        }
        text.append('\n');
        StackTraceElement[] frames = thread.getStackTrace();
        for (int i = 0; i < frames.length; i++) {
            text.append("    at ").append(frames[i]).append('\n');
            for (MonitorInfo monitor : thread.getLockedMonitors()) {
                if (monitor.getLockedStackDepth() == i) {
                    text.append("    - locked ").append(monitor).append('\n');
                }
            }
        }
    }
}
