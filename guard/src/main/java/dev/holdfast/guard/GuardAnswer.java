package dev.holdfast.guard;

import java.util.List;

/** What came of the stop or start of an app: a decision for each of its resources. */
public record GuardAnswer(String app, List<GuardDecision> decisions) {
    public GuardAnswer {
        decisions = List.copyOf(decisions);
    }
}
