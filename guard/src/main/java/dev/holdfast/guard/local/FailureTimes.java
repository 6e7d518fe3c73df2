package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import java.time.Duration;

/** For how long each app has been seen failing. Told of each look at an app. */
interface FailureTimes {
    /** The app was seen failing now, in this stored run of failures; returns how long that has certainly been so. */
    Duration failing(String resource, App app, String run, ClockReading now);

    /** The app was seen otherwise. */
    void other(String resource, String app);

    /** The same times for a look that does not count: they are told and stay as they are. */
    FailureTimes onlyTold();
}
