package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.model.Done;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.Versioned;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a write happens, and when it does not. */
abstract class WriteCases extends StoreCases {

    @Test
    @DisplayName("a record that was never written is not there")
    void nothingThereAtFirst() {
        assertThat(read(KEY)).isEmpty();
    }

    // ---- absent

    @Test
    @DisplayName("absent: a record that is not there is written")
    void absentIsWritten() {
        LockRecord record = random.busy(KEY, 5);
        assertApplied(write(absent(record)));
        assertStored(record);
    }

    @Test
    @DisplayName("absent: a record that is there is refused, told as it is, and not touched")
    void absentIsRefused() {
        LockRecord there = random.busy(KEY, 5);
        put(there);
        assertRefused(write(absent(random.busy(KEY, 6))), Optional.of(there));
        assertStored(there);
    }

    // ---- stamped

    @Test
    @DisplayName("stamped: the stamp that was read lets the next record in")
    void rightStampIsWritten() {
        Versioned there = put(random.busy(KEY, 5));
        LockRecord next = random.idle(KEY, 6);
        assertApplied(write(stamped(there, next)));
        assertStored(next);
    }

    @Test
    @DisplayName("stamped: what it remembers can be left as it is")
    void samePast() {
        LockRecord first =
                random.idle(KEY, 5).withPast(Past.NONE.with(LeaseId.ofBits(1, 2), LostReason.RELEASED, Instant.EPOCH));
        Versioned there = put(first);
        LockRecord next = random.busy(KEY, 6).withPast(first.past());
        Precondition same = new Precondition.Stamped(first.stamp(), there.tag(), Optional.empty());
        assertApplied(write(Write.of(same, next).withSamePast(true)));
        assertStored(next);
    }

    @Test
    @DisplayName("stamped: another stamp is refused, told what is there, and changes nothing")
    void wrongStampIsRefused() {
        Versioned there = put(random.busy(KEY, 5));
        assertRefused(write(stamped(elsewhere(there), random.idle(KEY, 6))), Optional.of(there.record()));
        assertStored(there.record());
    }

    @Test
    @DisplayName("stamped: a stamp that was right once is refused after another write")
    void oldStampIsRefused() {
        Versioned first = put(random.busy(KEY, 5));
        LockRecord second = random.busy(KEY, 6);
        assertApplied(write(stamped(first, second)));
        assertRefused(write(stamped(first, random.idle(KEY, 7))), Optional.of(second));
        assertStored(second);
    }

    @Test
    @DisplayName("stamped: a record that is not there is refused, not inserted")
    void absentRowIsNotInserted() {
        Versioned never = Versioned.of(random.busy(KEY, 5));
        assertRefused(write(stamped(never, random.busy(KEY, 6))), Optional.empty());
        assertThat(read(KEY)).isEmpty();
    }

    @Test
    @DisplayName("the mark returned with a write serves the next one without a read")
    void tagOfAWriteServesTheNext() {
        LockRecord first = random.busy(KEY, 5);
        WriteResult.Applied applied = (WriteResult.Applied) write(absent(first));
        LockRecord second = random.busy(KEY, 6);
        assertApplied(write(stamped(new Versioned(first, applied.tag()), second)));
        assertStored(second);
    }

    @Test
    @DisplayName("the mark returned with a refusal serves the next write")
    void tagOfARefusalServesTheNext() {
        put(random.busy(KEY, 5));
        WriteResult.Refused refused = (WriteResult.Refused) write(absent(random.busy(KEY, 6)));
        LockRecord next = random.busy(KEY, 7);
        assertApplied(write(stamped(refused.current().orElseThrow(), next)));
        assertStored(next);
    }

    // ---- not before

    @Test
    @DisplayName("not before: the store's own clock is not there yet, so it is too early and nothing changes")
    void tooEarly() {
        Versioned there = put(random.busy(KEY, 5));
        assumeTrue(hasClock(), "a store without a clock does not check");
        assertThat(write(notBefore(there, earliest().plusSeconds(3_600)))).isInstanceOf(WriteResult.TooEarly.class);
        assertStored(there.record());
    }

    @Test
    @DisplayName("not before: the store's own clock is past it, so it is written")
    void pastNotBefore() {
        Versioned there = put(random.busy(KEY, 5));
        assertApplied(write(notBefore(there, earliest().minusMillis(1))));
        assertThat(read(KEY).orElseThrow().record().stamp())
                .isNotEqualTo(there.record().stamp());
    }

    @Test
    @DisplayName("not before: too early at first, written once that time has passed")
    void notBeforeComes() {
        Versioned there = put(random.busy(KEY, 5));
        assumeTrue(hasClock(), "a store without a clock does not check");
        Instant bound = earliest().plusMillis(700);
        assertThat(write(notBefore(there, bound))).isInstanceOf(WriteResult.TooEarly.class);
        fixture().advance(Duration.ofMillis(1_500));
        assertApplied(write(notBefore(there, bound)));
    }

    @Test
    @DisplayName("not before: a wrong stamp is refused, however early it is")
    void wrongStampBeatsTooEarly() {
        Versioned there = put(random.busy(KEY, 5));
        Write write = notBefore(elsewhere(there), earliest().plusSeconds(3_600));
        assertRefused(write(write), Optional.of(there.record()));
    }

    private boolean hasClock() {
        earliest();
        return !store().clock().now().orElseThrow().trustedSince().equals(Instant.MAX);
    }

    private Write notBefore(Versioned there, Instant bound) {
        Precondition.Stamped is = new Precondition.Stamped(there.record().stamp(), there.tag(), Optional.of(bound));
        return Write.of(is, random.idle(KEY, 9));
    }

    // ---- delete

    @Test
    @DisplayName("a record is deleted by its stamp")
    void deletedByStamp() {
        Versioned there = put(random.idle(KEY, 5));
        assertApplied(write(Write.delete(KEY, is(there))));
        assertThat(read(KEY)).isEmpty();
    }

    @Test
    @DisplayName("a record that was written meanwhile is not deleted")
    void notDeletedByAnotherStamp() {
        Versioned there = put(random.idle(KEY, 5));
        Write delete = Write.delete(KEY, is(elsewhere(there)));
        assertRefused(write(delete), Optional.of(there.record()));
        assertStored(there.record());
    }

    @Test
    @DisplayName("a deleted record can be written anew, and its old stamp stays refused")
    void writtenAnewAfterDelete() {
        Versioned there = put(random.idle(KEY, 5));
        assertApplied(write(Write.delete(KEY, is(there))));
        LockRecord anew = random.busy(KEY, 6);
        put(anew);
        assertRefused(write(stamped(there, random.busy(KEY, 7))), Optional.of(anew));
    }

    // ---- idle below

    @Test
    @DisplayName("idle below: a record that is not there is written")
    void idleBelowAbsent() {
        LockRecord next = random.busy(KEY, 10);
        WriteResult result = write(idleBelow(next, 10));
        assertApplied(result);
        assertThat(((WriteResult.Applied) result).kept().orElse(Past.NONE)).isEqualTo(Past.NONE);
        assertStored(next);
    }

    @Test
    @DisplayName("idle below: an idle record with a lower fence is replaced, and its past kept and returned")
    void idleBelowKeepsThePast() {
        assumeTrue(fixture().replacesIdle(), "this store refuses whenever the record exists");
        Past past = Past.NONE
                .with(random.leaseId(), LostReason.RELEASED, random.time())
                .with(new Done("v1 \"é\"", "worker-1", new Token(4), random.time()));
        put(random.idle(KEY, 9).withPast(past));
        LockRecord next = random.busy(KEY, 10);
        WriteResult result = write(idleBelow(next, 10));
        assertApplied(result);
        assertThat(((WriteResult.Applied) result).kept()).contains(past);
        assertStored(next.withPast(past));
    }

    @Test
    @DisplayName("idle below: after it, the new stamp is the one that counts")
    void idleBelowChangesTheStamp() {
        assumeTrue(fixture().replacesIdle(), "this store refuses whenever the record exists");
        Versioned before = put(random.idle(KEY, 9));
        LockRecord next = random.busy(KEY, 10);
        WriteResult.Applied applied = (WriteResult.Applied) write(idleBelow(next, 10));
        assertRefused(write(stamped(before, random.idle(KEY, 11))), Optional.of(next));
        assertApplied(write(stamped(new Versioned(next, applied.tag()), random.idle(KEY, 11))));
    }

    @Test
    @DisplayName("idle below: a fence that is not below the token is refused")
    void idleButFenceNotBelow() {
        LockRecord there = random.idle(KEY, 10);
        put(there);
        assertRefused(write(idleBelow(random.busy(KEY, 10), 10)), Optional.of(there));
        assertRefused(write(idleBelow(random.busy(KEY, 9), 9)), Optional.of(there));
        assertStored(there);
    }

    @Test
    @DisplayName("idle below: fences are compared as numbers, also beyond 32 and 53 bits")
    void fencesAreNumbers() {
        assumeTrue(fixture().replacesIdle(), "this store refuses whenever the record exists");
        long big = (1L << 62) + 1;
        LockRecord there = random.idle(KEY, big);
        put(there);
        assertRefused(write(idleBelow(random.busy(KEY, big), big)), Optional.of(there));
        assertRefused(write(idleBelow(random.busy(KEY, 9), 9)), Optional.of(there));
        assertApplied(write(idleBelow(random.busy(KEY, big + 1), big + 1)));
    }

    @Test
    @DisplayName("idle below: a record somebody holds is refused")
    void heldIsRefused() {
        LockRecord there = random.busy(KEY, 5);
        put(there);
        assertRefused(write(idleBelow(random.busy(KEY, 10), 10)), Optional.of(there));
        assertStored(there);
    }

    @Test
    @DisplayName("idle below: a record somebody waits for is refused")
    void waitedForIsRefused() {
        LockRecord there = random.waitedFor(KEY, 5);
        put(there);
        assertRefused(write(idleBelow(random.busy(KEY, 10), 10)), Optional.of(there));
    }

    @Test
    @DisplayName("idle below: a lease among the ended ones is refused, another is not")
    void endedLeaseIsRefused() {
        LeaseId ended = random.leaseId();
        Past past = Past.NONE
                .with(random.leaseId(), LostReason.EXPIRED, random.time())
                .with(ended, LostReason.RELEASED, random.time())
                .with(random.leaseId(), LostReason.FORCED, random.time());
        LockRecord there = random.idle(KEY, 5).withPast(past);
        put(there);
        assertRefused(write(idleBelow(random.busy(KEY, 10), 10, random.leaseId(), ended)), Optional.of(there));
        assertStored(there);
        if (fixture().replacesIdle()) {
            assertApplied(write(idleBelow(random.busy(KEY, 10), 10, random.leaseId())));
        }
    }

    @Test
    @DisplayName("idle below: a record of a newer format is refused")
    void newerFormatIsRefused() {
        LockRecord idle = random.idle(KEY, 5);
        LockRecord newer = new LockRecord(
                LockRecord.FORMAT + 1,
                KEY,
                idle.stamp(),
                idle.fence(),
                List.of(),
                List.of(),
                Map.of(),
                Past.NONE,
                Map.of());
        put(newer);
        assertRefused(write(idleBelow(random.busy(KEY, 10), 10)), Optional.of(newer));
        assertStored(newer);
    }

    private Write idleBelow(LockRecord next, long token, LeaseId... leases) {
        Precondition idle = new Precondition.IdleBelow(new Token(token), List.of(leases));
        return Write.of(idle, next);
    }

    // ---- batches

    @Test
    @DisplayName("a batch applies the good, refuses the bad, and answers in the order asked")
    void batchKeepsOrder() {
        RecordKey there = new RecordKey("default", "b-there");
        Versioned stored = put(random.busy(there, 5));
        RecordKey late = new RecordKey("default", "a-late");
        Versioned other = put(random.busy(late, 5));
        List<Write> writes = List.of(
                absent(random.busy(new RecordKey("default", "z-new"), 6)),
                absent(random.busy(there, 7)),
                stamped(other, random.idle(late, 8)),
                stamped(Versioned.of(random.busy(KEY, 1)), random.busy(KEY, 2)),
                absent(random.busy(new RecordKey("also", "a-new"), 9)));

        List<WriteResult> results = Await.get(store().write(writes));

        assertThat(results).hasSize(5);
        assertApplied(results.get(0));
        assertRefused(results.get(1), Optional.of(stored.record()));
        assertApplied(results.get(2));
        assertRefused(results.get(3), Optional.empty());
        assertApplied(results.get(4));
        for (int applied : new int[] {0, 2, 4}) {
            assertStored(writes.get(applied).record().orElseThrow());
        }
        assertStored(stored.record());
        assertThat(read(KEY)).isEmpty();
    }

    @Test
    @DisplayName("a batch may have as many records as the store says")
    void largestBatch() {
        List<Write> writes = new ArrayList<>();
        for (int i = 0; i < store().traits().maxBatch(); i++) {
            writes.add(absent(random.record(new RecordKey("default", "batch-" + i))));
        }
        assertThat(Await.get(store().write(writes)))
                .hasSize(writes.size())
                .allMatch(r -> r instanceof WriteResult.Applied);
        for (Write write : writes) {
            assertStored(write.record().orElseThrow());
        }
    }
}
