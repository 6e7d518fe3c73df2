package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.Done;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Token;
import dev.holdfast.spi.Precondition;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.Write;
import dev.holdfast.spi.WriteResult;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("many acquisitions in one condition")
class ConditionalWriteTest {
    private static final RecordKey KEY = LockKey.of("lock").record();

    private final RecordStore store =
            Locks.open(Dynamo.freshTable(), Dynamo.port(), DynamoConfig.DEFAULT.withHistory(false));

    @AfterEach
    void close() {
        store.close();
    }

    private static LockRecord record(long fence, Past past) {
        return new LockRecord(
                LockRecord.FORMAT,
                KEY,
                new Stamp(fence),
                new Token(fence),
                List.of(),
                List.of(),
                Map.of(),
                past,
                Map.of());
    }

    private WriteResult write(Precondition precondition, LockRecord record) {
        return Await.get(store.write(List.of(new Write(KEY, precondition, Optional.of(record), List.of(), false))))
                .get(0);
    }

    private static List<LeaseId> leases(int count) {
        List<LeaseId> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(LeaseId.ofBits(i, 42));
        }
        return leases;
    }

    @Test
    @DisplayName("as many as fit are all compared with the ended ones")
    void asManyAsFit() {
        LeaseId ended = LeaseId.ofBits(7, 7);
        Past past = Past.NONE.with(ended, LostReason.RELEASED, Instant.EPOCH);
        write(new Precondition.Absent(), record(1, past));
        List<LeaseId> most = leases(ConditionalWrite.MAX_LEASES);
        assertThat(write(new Precondition.IdleBelow(new Token(2), most), record(2, Past.NONE)))
                .isEqualTo(new WriteResult.Applied("", Optional.of(past)));
        most.set(most.size() - 1, ended);
        assertThat(write(new Precondition.IdleBelow(new Token(3), most), record(3, Past.NONE)))
                .isInstanceOf(WriteResult.Refused.class);
    }

    @Test
    @DisplayName("a record that must never be removed is not replaced by who has not read it")
    void mustStay() {
        Past past = Past.NONE.with(new Done("v1", "alice", new Token(1), Instant.EPOCH));
        write(new Precondition.Absent(), record(1, past));
        Precondition unseen = new Precondition.IdleBelow(new Token(2), leases(1));
        Write write = new Write(KEY, unseen, Optional.of(record(2, Past.NONE)), List.of(), false);
        UpdateItemRequest request = ConditionalWrite.update(
                "locks", new LockItem(Dynamo.place("locks", 1), new TimeToLive(Duration.ofHours(1))), write);

        assertThat(request.updateExpression()).contains("#expiry = :expiry");
        assertThat(request.conditionExpression()).contains("attribute_exists(#expiry)");
        assertThat(write(unseen, record(2, Past.NONE)))
                .isInstanceOfSatisfying(
                        WriteResult.Refused.class,
                        refused -> assertThat(
                                        refused.current().orElseThrow().record().past())
                                .isEqualTo(past));
    }

    @Test
    @DisplayName("with more, a record that is there is refused, and one that is not is written")
    void tooMany() {
        Precondition idle = new Precondition.IdleBelow(new Token(2), leases(ConditionalWrite.MAX_LEASES + 1));
        assertThat(write(idle, record(2, Past.NONE))).isInstanceOf(WriteResult.Applied.class);
        assertThat(write(new Precondition.IdleBelow(new Token(3), leases(1_000)), record(3, Past.NONE)))
                .isInstanceOf(WriteResult.Refused.class);
    }
}
