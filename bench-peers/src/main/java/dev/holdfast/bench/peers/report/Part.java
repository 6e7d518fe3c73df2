package dev.holdfast.bench.peers.report;

import java.util.Arrays;
import java.util.Locale;

/** The parts of the comparison, in the order in which they run. */
public enum Part {
    UNCONTENDED("A", "Uncontended: each caller takes and releases a lock of its own", "cycles/s", 8),
    CONTENDED("B", "One lock that everybody wants", "hand-overs/s", 5),
    RENEWALS("C", "Renewals by call", "renewals/s", 1.5),
    LIMIT("D", "PostgreSQL's own limit: one statement over unnest", "cycles/s", 0.4),
    EMBEDDED("E", "Embedded: SQLite beside bare files", "operations/s", 0.6),
    SERVICES("F", "HTTP, state and MariaDB", "per second", 1.2),
    GROWTH("G", "Growth: more records, waiters, replicas and leases", "per second", 10),
    PROCESS("H", "What a process costs", "", 1.5);

    private final String letter;
    private final String title;
    private final String unit;
    private final double share;

    Part(String letter, String title, String unit, double share) {
        this.letter = letter;
        this.title = title;
        this.unit = unit;
        this.share = share;
    }

    /** As in the documentation. */
    public String letter() {
        return letter;
    }

    public String title() {
        return title;
    }

    /** Of its rates. */
    public String unit() {
        return unit;
    }

    /** How much of the time it needs, beside the others. */
    public double share() {
        return share;
    }

    /** On the command line, where the letter does as well. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The one with this letter or name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Part of(String text) {
        return Arrays.stream(values())
                .filter(part ->
                        part.letter.equalsIgnoreCase(text) || part.name().equalsIgnoreCase(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no part '" + text + "'"));
    }
}
