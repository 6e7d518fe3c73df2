package dev.holdfast.spring;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Supplier;

/** What is wrong with something, all at once. */
final class StartProblems {
    /** The longest wait that a client takes. */
    static final Duration LONGEST_WAIT = Duration.ofDays(7);

    private final Set<String> all = new LinkedHashSet<>();

    void add(String problem) {
        all.add(problem);
    }

    /** Adds one if the value is out of bounds. */
    void within(String what, Duration value, Duration least, Duration most) {
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            all.add(what + " '" + value + "' must be between " + least + " and " + most);
        }
    }

    /** Adds one if what was set is refused. */
    void of(String what, Supplier<?> set) {
        try {
            Object unused = set.get();
        } catch (IllegalArgumentException e) {
            all.add(what + ": " + e.getMessage());
        }
    }

    boolean areThere() {
        return !all.isEmpty();
    }

    /** All of them after a heading: a single one in its line, several in lines of their own. */
    String after(String heading) {
        return all.size() == 1
                ? heading + ": " + all.iterator().next()
                : heading + ":\n    - " + String.join("\n    - ", all);
    }

    @Override
    public String toString() {
        return String.join(", and ", all);
    }
}
