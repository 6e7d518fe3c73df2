package dev.holdfast.dynamodb.locks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.Dynamo;
import dev.holdfast.dynamodb.DynamoConfig;
import dev.holdfast.dynamodb.FaultLine;
import dev.holdfast.dynamodb.FaultLine.Fault;
import dev.holdfast.dynamodb.Locks;
import dev.holdfast.dynamodb.LogSpy;
import dev.holdfast.dynamodb.Message;
import dev.holdfast.spi.EventLog;
import dev.holdfast.spi.EventLog.EventQuery;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.testkit.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("history in DynamoDB")
class HistoryTest {
    private final FaultLine line = new FaultLine();
    private final String table = Dynamo.freshTable();
    private final RecordStore store = Locks.open(table, line.port(), DynamoConfig.DEFAULT);
    private final LockClient locks = LockClient.on(store, ClientConfig.DEFAULT);

    @AfterEach
    void close() {
        line.heal();
        locks.close();
        line.close();
    }

    private long lost() {
        return ((EventLog) store).lost();
    }

    @Test
    @DisplayName("an acquisition does not wait for its event, and the event survives a bad while")
    void behind() throws InterruptedException {
        line.next(3, "BatchWriteItem", Fault.refused(400, "ProvisionedThroughputExceededException"));
        try (Lease lease = locks.acquire("lock")) {
            assertThat(lease.isValid()).isTrue();
        }
        assertThat(locks.inspect().history(EventQuery.newest(10))).hasSize(2);
        assertThat(lost()).isZero();
    }

    @Test
    @DisplayName("events that cannot be stored are lost, counted and reported, and locks go on")
    void givenUp() throws InterruptedException {
        try (LogSpy log = new LogSpy(EventWriter.class)) {
            line.always(request -> {
                if (request.operation().equals("BatchWriteItem")) {
                    request.answer(Message.error(400, "AccessDeniedException"));
                } else {
                    Fault.NONE.happenTo(request);
                }
            });
            locks.acquire("lock").close();
            Await.until("they are given up", () -> lost() == 2);
            assertThat(log.heard())
                    .hasSize(1)
                    .allMatch(said -> said.contains("could not be stored in '" + table + "-events'"));
            line.heal();
            locks.acquire("lock").close();
            assertThat(locks.inspect().history(EventQuery.newest(10))).hasSize(2);
        }
    }

    @Test
    @DisplayName("what is closed stores its events first")
    void closing() throws InterruptedException {
        locks.acquire("lock").close();
        locks.close();
        try (LockClient other =
                LockClient.on(Locks.open(table, Dynamo.port(), DynamoConfig.DEFAULT), ClientConfig.DEFAULT)) {
            assertThat(other.inspect().history(EventQuery.newest(10))).hasSize(2);
        }
    }
}
