package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.Contender;
import java.lang.management.ManagementFactory;

/** A fresh JVM that measures one contender and ends. */
public final class Worker {
    /** Between the start of the JVM and its first lock. */
    public static final String START = "start_ms";

    private Worker() {}

    /** Started with what {@link Task#arguments} gives. */
    public static void main(String[] args) throws Exception {
        Task task = Task.of(args);
        switch (task.kind()) {
            case FLOOR -> new HandOverFloor(task).run();
            case UNNEST -> new Unnest(task).run();
            case SQLITE -> new EmbeddedMeasurement(task).run();
            case HTTP -> new HttpRequests(task).run();
            case STATE -> new StateSaves(task).run();
            case RECORDS, WAITERS -> new Growth(task).run();
            default -> contend(task);
        }
        System.out.println("done");
        System.out.flush();
        Runtime.getRuntime().halt(0); // what the libraries leave behind is not waited for
    }

    private static void contend(Task task) throws Exception {
        Contender contender = task.entrant().connect(task.address(), task.connections());
        switch (task.kind()) {
            case CYCLES -> new Cycles(task, contender).run();
            case TURNS -> new Turns(task, contender).run();
            case RENEWALS -> new Renewals(task, contender).run();
            case HELD -> new HeldLocks(task, contender).run();
            default -> throw new IllegalArgumentException(task.kind().name());
        }
    }

    static double millisSinceStart() {
        return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    }
}
