package dev.holdfast.guard.rules;

import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.probe.ProbeResult;
import java.time.Duration;

/**
 * What is known of one app when a stop is judged.
 *
 * @param app which
 * @param desired what is wished for it
 * @param starting whether it was told to start and has not been seen up yet
 * @param probed what the probe found
 * @param answer what that says about it
 * @param downs how often in a row, this time included, it was seen down
 * @param failingFor how long this process has certainly seen it fail, and nothing else
 * @param downAfter how long that must be if nobody asked it to stop
 */
public record AppObservation(
        String app,
        DesiredState desired,
        boolean starting,
        ProbeResult probed,
        HealthReading answer,
        int downs,
        Duration failingFor,
        Duration downAfter) {

    /** Whether this look says that the app is down, if it says so often and long enough. */
    public boolean isDown() {
        return !starting
                && desired != DesiredState.RUNNING
                && (answer == HealthReading.FAILS
                        || (answer == HealthReading.REFUSES && desired == DesiredState.STOPPED));
    }

    /** Whether it answers: it is not starting any more. */
    public boolean isUp() {
        return answer == HealthReading.RUNS;
    }

    public AppObservation counted(int times, Duration failing) {
        return new AppObservation(app, desired, starting, probed, answer, times, failing, downAfter);
    }

    /** As it is shown: what it counts as, with the code it answered. */
    public Evidence evidence() {
        return new Evidence(app, StopRules.word(this), probed.httpCode(), probed.at());
    }
}
