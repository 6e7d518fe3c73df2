package dev.holdfast.guard;

/**
 * What is known of one app when a stop is judged.
 *
 * @param app which
 * @param desired what is wished for it
 * @param starting whether it was told to start and has not been seen up yet
 * @param probed what the probe found
 * @param downs how often in a row, this time included, it was seen down
 */
record Sighting(String app, Desired desired, boolean starting, Probed probed, int downs) {

    /** Whether this look alone says that the app is down. */
    boolean isDown() {
        return StopRules.standing(this, 1) == StopRules.Standing.GONE;
    }

    /** As it is shown: what it counts as, with the code it answered. */
    Evidence evidence() {
        return new Evidence(app, StopRules.word(this), probed.httpCode(), probed.at());
    }
}
