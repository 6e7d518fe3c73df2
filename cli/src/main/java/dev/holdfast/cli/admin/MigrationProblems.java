package dev.holdfast.cli.admin;

import java.util.ArrayList;
import java.util.List;

/** What was found to be wrong. More than a few are counted, not told: nobody reads the hundredth. */
final class MigrationProblems {
    private static final int TOLD = 20;

    private final List<String> told = new ArrayList<>();
    private long more;

    void add(String text) {
        if (told.size() < TOLD) {
            told.add(text);
        } else {
            more++;
        }
    }

    /** Those that are told, and how many more of this there are. */
    List<String> all(String what) {
        List<String> all = new ArrayList<>(told);
        if (more > 0) {
            all.add("and " + more + " more " + what);
        }
        return all;
    }
}
