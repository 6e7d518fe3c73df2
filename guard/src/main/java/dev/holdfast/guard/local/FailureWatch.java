package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.internal.parts.RecentMap;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * For how long this process has seen an app fail, and nothing else. Kept in memory, by each process for itself: it says what this
 * process looked at, on its own clocks. So a restart, a pause, or a gap between two looks starts anew, as nobody can say
 * what the app answered meanwhile. What another process saw otherwise is told by the store: it ends the run of failures
 * ({@link ResourceRecord.Downs#run()}) under which all of them count.
 */
final class FailureWatch implements FailureTimes {
    /** Failing apps remembered; one that is forgotten only waits longer. */
    private static final int MOST = 20_000;

    private final Duration longestGap;
    private final Map<Key, ObservedRun> observed = new RecentMap<>(MOST);

    private record Key(String resource, String app) {}

    /** Looks at one app, asked at one place, that all found it failing, in the same stored run of failures. */
    private record ObservedRun(String run, URI asked, ClockReading first, ClockReading last) {
        Duration time() {
            Duration since = last.atLeastSince(first);
            return since.isNegative() ? Duration.ZERO : since;
        }
    }

    /** Looks further apart than this do not belong together. */
    FailureWatch(Duration longestGap) {
        this.longestGap = longestGap;
    }

    @Override
    public synchronized Duration failing(String resource, App app, String run, ClockReading now) {
        ObservedRun seen = seenFailing(resource, app, run, now);
        observed.put(new Key(resource, app.name()), seen);
        return seen.time();
    }

    @Override
    public synchronized void other(String resource, String app) {
        observed.remove(new Key(resource, app));
    }

    @Override
    public FailureTimes onlyTold() {
        return new OnlyTold();
    }

    /** What is known once the app is seen failing now. */
    private ObservedRun seenFailing(String resource, App app, String run, ClockReading now) {
        URI asked = app.health().at(app.url());
        ClockReading first = Optional.ofNullable(observed.get(new Key(resource, app.name())))
                .filter(before -> before.run().equals(run)
                        && before.asked().equals(asked)
                        && now.atMostSince(before.last()).compareTo(longestGap) <= 0)
                .map(ObservedRun::first)
                .orElse(now);
        return new ObservedRun(run, asked, first, now);
    }

    /** Looks that do not count: nothing is remembered of them, and nothing forgotten. */
    private final class OnlyTold implements FailureTimes {
        @Override
        public Duration failing(String resource, App app, String run, ClockReading now) {
            synchronized (FailureWatch.this) {
                return seenFailing(resource, app, run, now).time();
            }
        }

        @Override
        public void other(String resource, String app) {}

        @Override
        public FailureTimes onlyTold() {
            return this;
        }
    }
}
