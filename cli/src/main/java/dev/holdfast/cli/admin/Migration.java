package dev.holdfast.cli.admin;

import dev.holdfast.internal.parts.Uninterruptibly;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.ScanRequest;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.wire.backup.RecordPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Copies the records of one store into another, each as it is: holders, waiters, the last token, what it remembers. Never writes over a record that somebody uses or that has given out a greater token. Can be interrupted
 * anywhere and run again.
 */
record Migration(RecordStore from, RecordStore to) {
    /**
     * Copies what is not there as it is.
     *
     * @return what could not be written, because the target changed since it was looked at
     */
    List<String> copyRecords(LongConsumer progress) {
        List<String> refused = new ArrayList<>();
        RecordPages.eachPage(from, ScanRequest.all(), page -> {
            List<Write> writes = page.stream()
                    .map(found -> Write.of(new Precondition.Absent(), found.record()))
                    .toList();
            RecordPages.write(
                    to, writes, (write, result) -> settle(write.record().orElseThrow(), result, refused, true));
            progress.accept(page.size());
        });
        return refused;
    }

    private void settle(LockRecord source, WriteResult result, List<String> refused, boolean mayReplace) {
        if (!(result instanceof WriteResult.Refused other)) {
            return;
        }
        Optional<Versioned> there = other.current();
        if (there.isPresent() && there.get().record().equals(source)) {
            return;
        }
        Optional<String> obstacle = there.flatMap(found -> obstacle(source, found.record()));
        if (there.isEmpty() || obstacle.isPresent() || !mayReplace) {
            refused.add(obstacle.orElse(MigrationSurvey.named(source.key())
                    + " changes in the target while it is written. Run this again"));
            return;
        }
        Precondition same = new Precondition.Stamped(
                there.get().record().stamp(), there.get().tag(), Optional.empty());
        RecordPages.write(to, List.of(Write.of(same, source)), (write, again) -> settle(source, again, refused, false));
    }

    /** Why the target's record must not be replaced; empty if nobody uses it and its last token is not the greater one. */
    static Optional<String> obstacle(LockRecord source, LockRecord there) {
        String name = MigrationSurvey.named(source.key());
        if (there.isNewer()) {
            return Optional.of(name + " was written into the target by a newer version of Holdfast");
        }
        if (!there.isIdle()) {
            return Optional.of(name + " is in use in the target ("
                    + (there.holds().isEmpty()
                            ? "waited for"
                            : "held by '" + there.holds().get(0).owner() + "'")
                    + "). Release it there, then: holdfast cleanup");
        }
        if (there.fence().compareTo(source.fence()) > 0) {
            return Optional.of(name + " is newer in the target: its last token is " + there.fence() + ", the source's "
                    + source.fence() + ". The target is already in use; it is not overwritten");
        }
        return Optional.empty();
    }

    /** Compares every record again; what the source changed meanwhile, or the target. */
    List<String> differences(LongConsumer progress) {
        MigrationProblems different = new MigrationProblems();
        RecordPages.each(from, ScanRequest.all(), found -> {
            Optional<Versioned> copy =
                    Uninterruptibly.answer(to.read(found.record().key()));
            boolean same = copy.isPresent() && copy.get().record().equals(found.record());
            if (!same) {
                different.add(MigrationSurvey.named(found.record().key())
                        + (copy.isPresent() ? " differs" : " is missing") + " in the target: one of the two is in use");
            }
            progress.accept(1);
        });
        return different.all("locks");
    }
}
