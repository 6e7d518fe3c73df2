package dev.holdfast.server.config;

import java.util.List;

/** The configuration cannot be used. The message lists everything that is wrong with it, one line each, without secrets. */
public final class ConfigProblems extends RuntimeException {
    private final transient List<String> problems;

    ConfigProblems(List<String> problems) {
        super(message(problems));
        this.problems = List.copyOf(problems);
    }

    /** Each with the setting, where its value came from, and what would be right. */
    public List<String> problems() {
        return problems;
    }

    private static String message(List<String> problems) {
        String head = problems.size() == 1
                ? "The configuration has a problem:"
                : "The configuration has " + problems.size() + " problems:";
        return head + "\n  - " + String.join("\n  - ", problems);
    }
}
