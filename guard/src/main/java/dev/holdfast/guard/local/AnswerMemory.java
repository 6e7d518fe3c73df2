package dev.holdfast.guard.local;

import dev.holdfast.guard.App;
import dev.holdfast.guard.AppAnswer;
import dev.holdfast.guard.Registration;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.rules.AppObservation;
import dev.holdfast.guard.rules.HealthReading;
import dev.holdfast.internal.parts.RecentMap;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this process saw last, for people who look: of each app its last answers, of each resource how its apps stood. Nothing is decided
 * by it. Kept in memory, by each process for itself: a restart begins with nothing, and what nobody had a reason to look at is not here.
 */
final class AnswerMemory {
    /** Answers of one app: five minutes at the usual interval. */
    static final int ANSWERS = 30;
    /** Apps and resources remembered, the last that were looked at. */
    private static final int MOST = 5_000;

    private final Duration pause;
    private final Map<String, AppHistory> answers = new RecentMap<>(MOST);
    private final Map<String, Look> looks = new RecentMap<>(MOST);

    /** How the apps of a resource stood, each of them, and when that was seen. */
    record Look(Instant at, List<AppObservation> each) {
        Optional<AppObservation> of(String app) {
            return each.stream().filter(seen -> seen.app().equals(app)).findFirst();
        }
    }

    /** Answers of one app at one address. */
    private static final class AppHistory {
        private final URI asked;
        /** Oldest first. */
        private final Deque<AppAnswer> last = new ArrayDeque<>();
        /** Since when they are of the last kind. */
        private Instant since;

        AppHistory(URI asked, AppAnswer first) {
            this.asked = asked;
            this.last.add(first);
            this.since = first.at();
        }

        /** Takes note of an answer, unless it says the same again within this pause. */
        void add(AppAnswer answer, Duration pause) {
            AppAnswer before = last.getLast();
            boolean sameKind = before.kind() == answer.kind();
            if (sameKind
                    && before.httpCode().equals(answer.httpCode())
                    && answer.at().isBefore(before.at().plus(pause))) {
                return;
            }
            last.addLast(answer);
            if (last.size() > ANSWERS) {
                last.removeFirst();
            }
            since = sameKind ? since : answer.at();
        }
    }

    /** Equal answers closer together than this are one: an app is looked at once for each resource it uses. */
    AnswerMemory(Duration pause) {
        this.pause = pause;
    }

    synchronized void answered(App app, ProbeResult found) {
        AppAnswer answer = new AppAnswer(
                kind(found, HealthReading.of(found, app.health())),
                found.httpCode(),
                found.at(),
                Registration.shown(found.detail()));
        URI asked = app.health().at(app.url());
        AppHistory before = answers.get(app.name());
        if (before == null || !before.asked.equals(asked)) {
            answers.put(app.name(), new AppHistory(asked, answer));
        } else {
            before.add(answer, pause);
        }
    }

    private static AppAnswer.Kind kind(ProbeResult found, HealthReading reading) {
        return switch (reading) {
            case RUNS -> AppAnswer.Kind.UP;
            case FAILS -> AppAnswer.Kind.DOWN;
            case REFUSES -> AppAnswer.Kind.REFUSED;
            case UNCLEAR -> found.httpCode().isPresent() ? AppAnswer.Kind.UNCLEAR : AppAnswer.Kind.NO_ANSWER;
        };
    }

    synchronized void looked(String resource, Look look) {
        looks.put(resource, look);
    }

    /** The last answers of an app at the address it has now, newest first. */
    synchronized List<AppAnswer> answersOf(App app) {
        List<AppAnswer> newest = new ArrayList<>();
        known(app).ifPresent(found -> found.last.descendingIterator().forEachRemaining(newest::add));
        return newest;
    }

    /** Since when an app has answered as it did last. */
    synchronized Optional<Instant> since(App app) {
        return known(app).map(found -> found.since);
    }

    private Optional<AppHistory> known(App app) {
        return Optional.ofNullable(answers.get(app.name()))
                .filter(found -> found.asked.equals(app.health().at(app.url())));
    }

    synchronized Optional<Look> lookAt(String resource) {
        return Optional.ofNullable(looks.get(resource));
    }
}
