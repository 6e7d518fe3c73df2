package dev.holdfast.cli.admin;

import dev.holdfast.cli.text.Ages;
import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.Hold;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.time.StoreClock;
import dev.holdfast.wire.backup.DocumentPages;
import dev.holdfast.wire.backup.RecordPages;
import dev.holdfast.wire.backup.StoreTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What moving one store into another would do, and what stands against it. Only looks; the two stores should be at rest, and
 * {@link Migration#differences} finds out whether they were.
 */
final class MigrationSurvey {
    private final RecordStore from;
    private final RecordStore to;
    private final MigrationProblems problems = new MigrationProblems();
    private long records;
    private long already;
    private long held;
    private Token newest;

    private MigrationSurvey(RecordStore from, RecordStore to, Token newest) {
        this.from = from;
        this.to = to;
        this.newest = newest;
    }

    /** What was found in the source; of its records, {@code already} are in the target as they are. */
    record Findings(long records, long already, long held, Token newest, List<String> problems) {}

    /**
     * Looks at every record in both.
     *
     * @param newest the greatest token that history and documents tell of: their locks may be forgotten by now
     */
    static Findings of(RecordStore from, RecordStore to, Token newest, boolean allowHeld) {
        MigrationSurvey survey = new MigrationSurvey(from, to, newest);
        survey.source(allowHeld);
        survey.target();
        survey.clocks();
        return new Findings(
                survey.records,
                survey.already,
                survey.held,
                survey.newest,
                survey.problems.all("problems of these kinds"));
    }

    private void source(boolean allowHeld) {
        StoreClock.Reading now = StoreTime.of(from);
        RecordPages.each(from, ScanRequest.all(), found -> {
            LockRecord record = found.record();
            records++;
            newest = DocumentPages.later(newest, record.fence());
            if (record.isNewer()) {
                problems.add(
                        named(record.key()) + " was written by a newer version of Holdfast; move it with that one");
            }
            Optional<String> busy = busy(record, now);
            held += busy.isPresent() ? 1 : 0;
            if (busy.isPresent() && !allowHeld) {
                problems.add(named(record.key()) + " is " + busy.get()
                        + ". Stop whoever uses the locks and wait, or use --allow-held");
            }
        });
    }

    /** How it is in use, if it is. What has expired is not. */
    private static Optional<String> busy(LockRecord record, StoreClock.Reading now) {
        for (Hold hold : record.holds()) {
            if (!now.earliest().isAfter(hold.expiresAt())) {
                String until = hold.expiresAt().equals(Times.NEVER) ? "" : " until " + hold.expiresAt();
                return Optional.of("held by '" + hold.owner() + "'" + until);
            }
        }
        boolean waiting = record.alive().values().stream().anyMatch(until -> until.isAfter(now.earliest()));
        return !record.queue().isEmpty() && waiting
                ? Optional.of("waited for by '" + record.queue().get(0).owner() + "'")
                : Optional.empty();
    }

    private void target() {
        RecordPages.each(to, ScanRequest.all(), found -> {
            Optional<Versioned> mine =
                    Uninterruptibly.answer(from.read(found.record().key()));
            if (mine.isEmpty()) {
                return; // a lock of the target alone: it is left as it is
            }
            LockRecord source = mine.get().record();
            if (source.equals(found.record())) {
                already++;
            } else {
                Migration.obstacle(source, found.record()).ifPresent(problems::add);
            }
        });
    }

    /** Tokens of locks the source has forgotten are known only to be behind its clock; so must they be behind the target's. */
    private void clocks() {
        StoreClock.Reading there = StoreTime.of(to);
        long behind = newest.value() - Times.micros(there.earliest());
        if (behind >= 0) {
            problems.add("The target's clock is behind: it shows " + there.earliest()
                    + ", and the source has given out a token of "
                    + Times.ofMicros(newest.value())
                    + ". Tokens would not grow. Set the clock right, or wait "
                    + Ages.of(Duration.ofSeconds(behind / 1_000_000 + 1)));
        }
    }

    static String named(RecordKey key) {
        return "Lock '" + key.name() + "' in '" + key.namespace() + "'";
    }
}
