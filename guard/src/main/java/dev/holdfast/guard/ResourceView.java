package dev.holdfast.guard;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A resource as it is shown.
 *
 * @param dbIdentifier an instance id, or host:port
 * @param types the services that live on it
 * @param state as last known
 * @param actuator what stops and starts it
 * @param recordedOnly whether that only records: then its state is what was recorded, and nothing was touched
 * @param apps who uses it, with what was last seen of them
 * @param intents to stop it, the oldest first
 * @param neededBy apps that need it although it is stopped; usually none
 * @param sameAs other resources at the same address and port
 * @param decisions the last ones, newest first
 * @param problems why it cannot be stopped, whatever probes see; usually none
 */
public record ResourceView(
        String dbIdentifier,
        List<String> types,
        ResourceState state,
        String actuator,
        boolean recordedOnly,
        List<User> apps,
        List<Intent> intents,
        List<String> neededBy,
        List<String> sameAs,
        List<GuardDecision> decisions,
        List<String> problems) {
    /**
     * An app that uses it.
     *
     * @param app which
     * @param status what was last seen of it; {@code UNKNOWN} if it was never looked at
     * @param httpCode of its answer, if there was one
     * @param checkedAt when it was looked at
     * @param desired what is wished for it
     * @param watch what the guard that shows this has seen of it
     */
    public record User(
            String app,
            String status,
            OptionalInt httpCode,
            Optional<Instant> checkedAt,
            DesiredState desired,
            Watch watch) {
        User latest(int answers) {
            return new User(app, status, httpCode, checkedAt, desired, watch.latest(answers));
        }
    }

    /**
     * What one guard has seen of an app, in its own memory: after a restart, or where nobody had a reason to look, that is nothing.
     *
     * @param standing how the app stands to a stop that is asked for; empty without one, or if the last look is too long ago
     * @param downAfter how long it must fail to count as down; only while it is {@link AppStanding#FAILING}
     * @param downAt when that will be so, if it answers nothing else until then: an estimate
     * @param since since when it has answered as it did last
     * @param answers the last ones, newest first
     */
    public record Watch(
            Optional<AppStanding> standing,
            Optional<Duration> downAfter,
            Optional<Instant> downAt,
            Optional<Instant> since,
            List<AppAnswer> answers) {
        /** Nothing was seen. */
        public static final Watch NONE =
                new Watch(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), List.of());

        public Watch {
            answers = List.copyOf(answers);
        }

        Watch latest(int most) {
            return new Watch(standing, downAfter, downAt, since, first(answers, most));
        }
    }

    /** The oldest intent. */
    public Optional<Intent> intent() {
        return intents.stream().findFirst();
    }

    /** The same with at most so many decisions, and answers of each app. */
    public ResourceView latest(int mostDecisions, int mostAnswers) {
        return new ResourceView(
                dbIdentifier,
                types,
                state,
                actuator,
                recordedOnly,
                apps.stream().map(user -> user.latest(mostAnswers)).toList(),
                intents,
                neededBy,
                sameAs,
                first(decisions, mostDecisions),
                problems);
    }

    private static <T> List<T> first(List<T> all, int most) {
        return all.subList(0, Math.min(most, all.size()));
    }
}
