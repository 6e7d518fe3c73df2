package dev.holdfast.bench.peers.report;

import static dev.holdfast.bench.peers.contender.ComparedLibrary.HOLDFAST;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.HOLDFAST_MARIADB;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.HOLDFAST_QUIET;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.HOLDFAST_SQLITE;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.RAW;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.RAW_32;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.RAW_MARIADB;
import static dev.holdfast.bench.peers.contender.ComparedLibrary.SHEDLOCK;

import dev.holdfast.bench.peers.contender.ComparedLibrary;
import dev.holdfast.bench.peers.worker.Figures;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What Holdfast is to reach beside the others, and what it reached: medians of one run of the benchmark, as ratios. */
public record Goals(Results results, List<Goals.Verdict> verdicts) {
    /** How many callers are measured. */
    public static final List<Integer> CALLERS = List.of(1, 8, 32, 128);

    private static final List<Double> LOGGED = List.of(0.85, 1.0, 1.8, 3.0);
    private static final List<Double> QUIET = List.of(0.9, 1.1, 2.2, 4.0);
    private static final double BESIDE_SHEDLOCK = 1.3;

    /** Which side of the goal is good. */
    public enum Side {
        AT_LEAST,
        AT_MOST
    }

    /**
     * One goal.
     *
     * @param what is compared with what
     * @param measured the ratio or number; empty if a part of it was not measured
     * @param side whether more or less is better
     * @param goal what it is to be
     */
    public record Verdict(String what, Optional<Double> measured, Side side, double goal) {
        /** Whether it was measured and is not reached. */
        public boolean isMissed() {
            return measured.filter(value -> side == Side.AT_LEAST ? value < goal : value > goal)
                    .isPresent();
        }

        public String word() {
            return measured.isEmpty() ? "not measured" : isMissed() ? "missed" : "reached";
        }
    }

    /** All goals of the parts that were asked for. */
    public static List<Verdict> of(Results results, List<Part> parts) {
        Goals goals = new Goals(results, new ArrayList<>());
        for (Part part : parts) {
            switch (part) {
                case UNCONTENDED -> goals.uncontended();
                case CONTENDED -> goals.contended();
                case RENEWALS -> goals.renewals();
                case EMBEDDED -> goals.embedded();
                case SERVICES -> goals.services();
                case GROWTH -> goals.growth();
                case LIMIT, PROCESS -> {
                    // to look at
                }
            }
        }
        return List.copyOf(goals.verdicts);
    }

    /** One number beside another; empty if either is missing. */
    static Optional<Double> ratio(Optional<Double> of, Optional<Double> to) {
        return of.flatMap(above -> to.filter(below -> below > 0).map(below -> above / below));
    }

    /** The setting of this many callers. */
    public static String callers(String phase, int callers) {
        return phase + ", " + callers + (callers == 1 ? " caller" : " callers");
    }

    private void uncontended() {
        for (int i = 0; i < CALLERS.size(); i++) {
            String warm = callers("warm", CALLERS.get(i));
            atLeast(warm + ", history on / raw", ratio(rate(warm, HOLDFAST), raw(warm)), LOGGED.get(i));
        }
        for (int i = 0; i < CALLERS.size(); i++) {
            String warm = callers("warm", CALLERS.get(i));
            atLeast(warm + ", history off / raw", ratio(rate(warm, HOLDFAST_QUIET), raw(warm)), QUIET.get(i));
        }
        for (int callers : CALLERS) {
            String warm = callers("warm", callers);
            atLeast(
                    warm + ", history on / ShedLock",
                    ratio(rate(warm, HOLDFAST), rate(warm, SHEDLOCK)),
                    BESIDE_SHEDLOCK);
        }
        for (int callers : CALLERS) {
            String cold = callers("cold", callers);
            atLeast(cold + ", history on / ShedLock", ratio(rate(cold, HOLDFAST), rate(cold, SHEDLOCK)), 1);
        }
        String most = callers("warm", 128);
        // A cycle is two operations.
        atMost(
                most + ", history on: JVM, µs per operation",
                ours(Part.UNCONTENDED, most, Figures.CLIENT).map(cycle -> cycle / 2),
                16);
        atMost(
                most + ", history on: PostgreSQL, µs per operation",
                ours(Part.UNCONTENDED, most, Figures.SERVER).map(cycle -> cycle / 2),
                20);
    }

    /** The better of its two pools. */
    private Optional<Double> raw(String setting) {
        return Stream.of(rate(setting, RAW), rate(setting, RAW_32))
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder());
    }

    private Optional<Double> rate(String setting, ComparedLibrary who) {
        return rate(Part.UNCONTENDED, setting, who.label());
    }

    private Optional<Double> rate(Part part, String setting, String who) {
        return results.median(part, setting, who, Figures.RATE);
    }

    private Optional<Double> ours(Part part, String setting, String name) {
        return results.median(part, setting, HOLDFAST.label(), name);
    }

    /** What the floor of a hand-over is called in tables. */
    public static final String FLOOR = "the floor: NOTIFY heard + one statement";

    public static final String PING_PONG = "2 processes in turn";
    public static final String MANY_PROCESSES = "16 processes";
    public static final String ONE_PROCESS = "16 callers in one process";

    /** Statements of the server for one hand-over. */
    public static final String STORE_CALLS = "store_calls";

    private void contended() {
        Part part = Part.CONTENDED;
        atMost(
                PING_PONG + ": p50 of a hand-over / the floor",
                ratio(ours(part, PING_PONG, Figures.P50), results.median(part, PING_PONG, FLOOR, Figures.P50)),
                1.25);
        atLeast(MANY_PROCESSES + ": hand-overs/s", ours(part, MANY_PROCESSES, Figures.RATE), 400);
        atLeast(
                MANY_PROCESSES + ": hand-overs / raw polling every 1 ms",
                ratio(ours(part, MANY_PROCESSES, Figures.RATE), rate(part, MANY_PROCESSES, RAW.label())),
                1);
        atMost(MANY_PROCESSES + ": store calls per hand-over", ours(part, MANY_PROCESSES, STORE_CALLS), 3);
        atLeast(ONE_PROCESS + ": hand-overs/s", ours(part, ONE_PROCESS, Figures.RATE), 2_000);
    }

    private void renewals() {
        String setting = "32 callers";
        Optional<Double> ours = ours(Part.RENEWALS, setting, Figures.RATE);
        atLeast("renewals, 32 callers / raw", ratio(ours, rate(Part.RENEWALS, setting, RAW.label())), 3);
    }

    private void embedded() {
        Optional<Double> many = rate(Part.EMBEDDED, "128 callers", HOLDFAST_SQLITE.label());
        atLeast(
                "SQLite, 128 callers / 1 caller",
                ratio(many, rate(Part.EMBEDDED, "1 caller", HOLDFAST_SQLITE.label())),
                8);
        atLeast(
                "SQLite, 128 callers / group-committed bare log",
                ratio(many, rate(Part.EMBEDDED, "128 callers", "bare log, group commit")),
                0.4);
    }

    private void services() {
        Part part = Part.SERVICES;
        atLeast(
                "HTTP durable, 64 connections / empty endpoint",
                ratio(
                        rate(part, "HTTP, 64 connections", "acquire or release"),
                        rate(part, "HTTP, 64 connections", "empty endpoint")),
                0.4);
        atLeast(
                "state save of 1 MB / plain file + fsync",
                ratio(rate(part, "state of 1 MB", "state saved"), rate(part, "state of 1 MB", "plain file + fsync")),
                0.4);
        atLeast(
                "MariaDB, 128 callers / raw there",
                ratio(
                        rate(part, "MariaDB, 128 callers", HOLDFAST_MARIADB.label()),
                        rate(part, "MariaDB, 128 callers", RAW_MARIADB.label())),
                1.5);
    }

    /** What the settings of growing records begin with. */
    public static final String RECORDS = "records: ";

    public static final String HELD = "held leases of 5 min: 1000000";

    private void growth() {
        List<Optional<Double>> costs = results.settings(Part.GROWTH).stream()
                .filter(setting -> setting.startsWith(RECORDS))
                .map(setting -> rate(Part.GROWTH, setting, HOLDFAST.label()).map(rate -> 1 / rate))
                .toList();
        Optional<Double> more = costs.size() < 2 ? Optional.empty() : ratio(costs.get(costs.size() - 1), costs.get(0));
        atMost("time per operation, most records / fewest", more, 1.15);
        atMost("1 000 000 held leases: heap, MB", ours(Part.GROWTH, HELD, "heap_mb"), 1024);
        atMost("1 000 000 held leases: cores", ours(Part.GROWTH, HELD, "cores"), 0.3);
    }

    private void atLeast(String what, Optional<Double> measured, double goal) {
        verdicts.add(new Verdict(what, measured, Side.AT_LEAST, goal));
    }

    private void atMost(String what, Optional<Double> measured, double goal) {
        verdicts.add(new Verdict(what, measured, Side.AT_MOST, goal));
    }
}
