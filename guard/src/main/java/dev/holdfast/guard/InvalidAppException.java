package dev.holdfast.guard;

import java.util.List;

/** A registration that cannot be taken, with everything that is wrong with it. */
public final class InvalidAppException extends IllegalArgumentException {
    private final List<String> problems;

    public InvalidAppException(List<String> problems) {
        super(problems.size() == 1 ? problems.get(0) : problems.size() + " problems: " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    /** Each problem: what, which, and what to do. */
    public List<String> problems() {
        return problems;
    }
}
