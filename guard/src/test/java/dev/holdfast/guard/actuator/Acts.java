package dev.holdfast.guard.actuator;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Targets and results as tests of actuators need them. */
public final class Acts {
    /** Longer than any act here takes on a slow machine. */
    public static final Duration PLENTY = Duration.ofSeconds(30);

    private Acts() {}

    public static ActTarget target(String db, long token) {
        return target(db, token, PLENTY);
    }

    public static ActTarget target(String db, long token, Duration timeout) {
        return new ActTarget(db, List.of("postgres", "neo4j"), token, "nobody needs it", false, timeout, Map.of());
    }

    public static ActTarget dry(String db, long token) {
        return new ActTarget(db, List.of("postgres"), token, "only asking", true, PLENTY, Map.of());
    }

    public static ActTarget with(ActTarget target, Map<String, String> settings) {
        return new ActTarget(
                target.dbIdentifier(),
                target.types(),
                target.fencingToken(),
                target.reason(),
                target.dryRun(),
                target.timeout(),
                settings);
    }

    /** One actuator, made as a server makes it. */
    public static Actuator actuator(Map<String, String> settings) {
        return Actuators.of(Map.of("it", settings), System.getenv()).find("it").orElseThrow();
    }

    /** What it says it failed at; fails the test if it did not. */
    public static String failure(ActResult result) {
        if (result instanceof ActResult.Failed failed) {
            return failed.what();
        }
        throw new AssertionError("expected a failure, got " + result);
    }

    /** What was done; fails the test with the reason if it was not. */
    public static ActResult.Done done(ActResult result) {
        if (result instanceof ActResult.Done done) {
            return done;
        }
        throw new AssertionError("expected it to be done, got " + result);
    }
}
