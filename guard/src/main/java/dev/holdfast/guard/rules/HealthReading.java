package dev.holdfast.guard.rules;

import dev.holdfast.guard.HealthCheck;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.probe.ProbeStatus;

/** What one look at an app says about it, when it is decided whether to stop what it uses. */
public enum HealthReading {
    /** It answered, so it runs. */
    RUNS,
    /** It answered that it does not work. */
    FAILS,
    /** Nobody listens where it should. */
    REFUSES,
    /** No answer, or one of which nobody can say what it means. */
    UNCLEAR;

    /** What a look says, by the app's own account of its answers. */
    public static HealthReading of(ProbeResult probed, HealthCheck health) {
        if (probed.httpCode().isEmpty()) {
            return probed.status() == ProbeStatus.REFUSED ? REFUSES : UNCLEAR;
        }
        return health.runs(probed.httpCode().getAsInt())
                .map(runs -> runs ? RUNS : FAILS)
                .orElse(UNCLEAR);
    }
}
