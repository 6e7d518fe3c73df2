package dev.holdfast.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.internal.rules.AcquireResult;
import dev.holdfast.internal.rules.Command;
import dev.holdfast.internal.rules.DecidingEngine;
import dev.holdfast.internal.rules.Decision;
import dev.holdfast.internal.rules.LockRules;
import dev.holdfast.internal.rules.Moment;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The explorer notices when")
class ExplorerTest {
    private static final int STATES = 1_000;

    @Test
    @DisplayName("a waiter loses its window for a claim, and so is granted only when it calls")
    void lostWindow() {
        assertThat(problem(new LockRules() {
                    @Override
                    public Decision<AcquireResult> acquire(
                            LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
                        Command.Acquire bent = new Command.Acquire(
                                ask.leaseId(),
                                ask.scope(),
                                ask.owner(),
                                ask.terms(),
                                ask.claimWithin().map(within -> Duration.ZERO));
                        return super.acquire(record, bent, now, here);
                    }
                }))
                .contains("is left waiting for a free lock");
    }

    @Test
    @DisplayName("one acquisition is there as two holds")
    void twoHolds() {
        assertThat(problem(new LockRules() {
                    @Override
                    public Decision<AcquireResult> acquire(
                            LockRecord record, Command.Acquire ask, Moment now, DecidingEngine here) {
                        Decision<AcquireResult> right = super.acquire(record, ask, now, here);
                        LockRecord after = right.record();
                        if (!record.holds().isEmpty() || after.holds().isEmpty()) {
                            return right;
                        }
                        List<Hold> twice = Collections.nCopies(2, after.holds().get(0));
                        LockRecord bent = PlantedBugs.with(after, twice, after.queue(), after.fence());
                        return new Decision<>(bent, true, right.result(), right.events(), right.notBefore());
                    }
                }))
                .contains("holds exclude each other");
    }

    /** What the first of the explorations, of exclusive acquisitions, finds. */
    private static String problem(LockRules rules) {
        return Explorer.exploreAll(rules, STATES).get(0).problem().orElse("nothing");
    }
}
