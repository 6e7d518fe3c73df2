package dev.holdfast.bench.peers.worker;

import dev.holdfast.bench.peers.contender.Contender;
import dev.holdfast.bench.peers.contender.Contender.Held;
import dev.holdfast.internal.parts.DaemonThreads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Callers that all want one lock: the words are its name, how many callers, and for how many microseconds each holds it and stays away
 * afterwards. Says {@code ready}, begins when told anything, ends when told again, then prints {@code turn HAD GAVE_UP} for each turn, in
 * nanoseconds of the machine's one monotonic clock, so that the turns of several processes can be put in order.
 */
record Turns(Task task, Contender contender) {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final int LAST_TURN_SECONDS = 20;

    void run() throws Exception {
        int callers = task.number(1);
        List<long[]> turns = new ArrayList<>();
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService pool = Executors.newFixedThreadPool(callers, DaemonThreads.named("caller"));
        // Connected and with its classes loaded, it is as ready as any process in production.
        contender
                .take("ready-" + ProcessHandle.current().pid(), WAIT)
                .orElseThrow()
                .release();
        System.out.println("ready");
        System.in.read();
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            all.add(pool.submit(() -> takeTurns(over, turns)));
        }
        System.in.skipNBytes(System.in.available());
        System.in.read();
        over.set(true);
        pool.shutdown();
        boolean ended = pool.awaitTermination(LAST_TURN_SECONDS, TimeUnit.SECONDS);
        for (Future<?> one : all) {
            if (one.isDone()) {
                one.get(); // what went wrong in it
            } else if (ended) {
                throw new IllegalStateException("a caller did not end");
            }
        }
        StringBuilder said = new StringBuilder();
        synchronized (turns) {
            turns.forEach(turn -> said.append("turn ")
                    .append(turn[0])
                    .append(' ')
                    .append(turn[1])
                    .append('\n'));
        }
        System.out.print(said);
    }

    private Void takeTurns(AtomicBoolean over, List<long[]> turns) throws Exception {
        long hold = task.number(2);
        long pause = task.number(3);
        while (!over.get()) {
            Optional<Held> held = contender.take(task.words().get(0), WAIT);
            if (held.isEmpty()) {
                continue; // not its turn for a minute
            }
            long had = System.nanoTime();
            stay(hold);
            long gaveUp = System.nanoTime();
            held.get().release();
            synchronized (turns) {
                turns.add(new long[] {had, gaveUp});
            }
            stay(pause);
        }
        return null;
    }

    private static void stay(long micros) throws InterruptedException {
        if (micros > 0) {
            TimeUnit.MICROSECONDS.sleep(micros);
        }
    }
}
