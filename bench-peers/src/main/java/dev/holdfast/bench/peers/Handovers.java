package dev.holdfast.bench.peers;

import dev.holdfast.bench.Load;
import dev.holdfast.bench.peers.worker.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The turns of several processes at one lock within the measured time, in order. All of them read the machine's one monotonic clock. */
record Handovers(List<Turn> turns) {
    /** One turn: who had it, from when until when, in nanoseconds. */
    record Turn(int process, long had, long gaveUp) {}

    /** Those that began between these times. */
    static Handovers between(long from, long to, List<Turn> all) {
        return new Handovers(all.stream()
                .filter(turn -> turn.had() >= from && turn.had() < to)
                .sorted(Comparator.comparingLong(Turn::had))
                .toList());
    }

    /** How often the lock was had before its last holder gave it up: never, if it is a lock. */
    int overlaps() {
        int count = 0;
        for (int i = 1; i < turns.size(); i++) {
            if (turns.get(i).had() < turns.get(i - 1).gaveUp()) {
                count++;
            }
        }
        return count;
    }

    /** Nanoseconds from one holder giving it up to the next having it, sorted; if it matters, only where the process changed. */
    long[] gaps(boolean onlyBetweenProcesses) {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < turns.size(); i++) {
            if (!onlyBetweenProcesses
                    || turns.get(i).process() != turns.get(i - 1).process()) {
                gaps.add(turns.get(i).had() - turns.get(i - 1).gaveUp());
            }
        }
        return gaps.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    /** How often, and how long it took. */
    Figures figures(String label, double seconds, boolean onlyBetweenProcesses) {
        long[] gaps = gaps(onlyBetweenProcesses);
        Figures figures =
                Figures.of(label, Figures.RATE, (onlyBetweenProcesses ? gaps.length : turns.size()) / seconds);
        return gaps.length == 0
                ? figures
                : figures.with(Figures.P50, Load.percentile(gaps, 0.5).toNanos() / 1e3)
                        .with(Figures.P99, Load.percentile(gaps, 0.99).toNanos() / 1e3);
    }
}
