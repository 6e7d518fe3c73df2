package dev.holdfast.dynamodb.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.dynamodb.Dynamo;
import dev.holdfast.dynamodb.DynamoConfig;
import dev.holdfast.dynamodb.Locks;
import dev.holdfast.model.Done;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Past;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Stamp;
import dev.holdfast.model.Times;
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
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("a condition of a write")
class ConditionalWriteTest {
    private static final RecordKey KEY = LockKey.of("default", "lock").record();

    private final String table = Dynamo.freshTable();
    private final RecordStore store = Locks.open(table, Dynamo.port(), DynamoConfig.DEFAULT.withHistory(false));

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
        return Await.get(store.write(List.of(Write.of(precondition, record)))).get(0);
    }

    private static List<LeaseId> leases(int count) {
        List<LeaseId> leases = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leases.add(LeaseId.ofBits(i, 42));
        }
        return leases;
    }

    @Test
    @DisplayName("of many acquisitions, as many as fit are all compared with the ended ones")
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
    @DisplayName("who has not read a record does not end the life of a once-only marker in it")
    void keepsTheMarker() {
        Past past = Past.NONE.with(new Done("v1", "alice", new Token(1), Instant.EPOCH));
        write(new Precondition.Absent(), record(1, past));
        assertThat(item()).containsKey("keep").doesNotContainKey("expiry");

        Precondition unseen = new Precondition.IdleBelow(new Token(2), leases(1));
        Write write = Write.of(unseen, record(2, Past.NONE));
        UpdateItemRequest request = ConditionalWrite.update(
                "locks", new LockItem(Dynamo.place("locks", 1), new TimeToLive(Duration.ofHours(1))), write);
        assertThat(request.updateExpression())
                .contains("#expiry = if_not_exists(#keep, :expiry)")
                .doesNotContain("#past");

        assertThat(write(unseen, record(2, Past.NONE))).isEqualTo(new WriteResult.Applied("", Optional.of(past)));
        assertThat(item()).containsKey("keep");
        assertThat(Long.parseLong(item().get("expiry").n())).isEqualTo(Times.NEVER.getEpochSecond());
        // Who has read it knows better.
        assertThat(write(new Precondition.Stamped(new Stamp(2), "", Optional.empty()), record(3, past)))
                .isInstanceOf(WriteResult.Applied.class);
        assertThat(item()).containsKey("keep").doesNotContainKey("expiry");
    }

    @Test
    @DisplayName("a record that earlier versions kept for ever is not replaced unseen")
    void keptByEarlierVersions() {
        Past past = Past.NONE.with(new Done("v1", "alice", new Token(1), Instant.EPOCH));
        write(new Precondition.Absent(), record(1, past));
        Dynamo.client()
                .updateItem(
                        update -> update.tableName(table).key(LockItem.key(KEY)).updateExpression("REMOVE keep"))
                .join();
        assertThat(write(new Precondition.IdleBelow(new Token(2), leases(1)), record(2, Past.NONE)))
                .isInstanceOfSatisfying(
                        WriteResult.Refused.class,
                        refused -> assertThat(
                                        refused.current().orElseThrow().record().past())
                                .isEqualTo(past));
    }

    private Map<String, AttributeValue> item() {
        return Dynamo.item(table, KEY.toString());
    }

    @Test
    @DisplayName("with more acquisitions, a record that is there is refused, and one that is not is written")
    void tooMany() {
        Precondition idle = new Precondition.IdleBelow(new Token(2), leases(ConditionalWrite.MAX_LEASES + 1));
        assertThat(write(idle, record(2, Past.NONE))).isInstanceOf(WriteResult.Applied.class);
        assertThat(write(new Precondition.IdleBelow(new Token(3), leases(1_000)), record(3, Past.NONE)))
                .isInstanceOf(WriteResult.Refused.class);
    }
}
