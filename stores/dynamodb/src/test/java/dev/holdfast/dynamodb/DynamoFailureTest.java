package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.dynamodb.FaultLine.Fault;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockRecord;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.spi.Write;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("when DynamoDB or the way to it fails")
class DynamoFailureTest {
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final LockKey KEY = LockKey.of("default", "lock");

    private final FaultLine line = new FaultLine();
    private final String table = Dynamo.freshTable();
    private final RecordStore store = Locks.open(
            table, line.port(), DynamoConfig.DEFAULT.withHistory(false).withCallTimeout(Duration.ofMillis(1_500)));
    private final LockClient locks = LockClient.on(store, ClientConfig.DEFAULT);

    @AfterEach
    void close() {
        line.heal();
        locks.close();
        line.close();
    }

    private Lease take() throws InterruptedException {
        return locks.acquire("lock", o -> o.lease(LONG));
    }

    private void assertHeldBy(Lease lease) {
        assertThat(Dynamo.item(table, "default:lock").get("token").n())
                .isEqualTo(Long.toString(lease.token().value()));
        assertThat(lease.isValid()).isTrue();
    }

    private void assertFree() {
        assertThat(Dynamo.item(table, "default:lock").get("busy").bool()).isFalse();
    }

    // ---- settled by the stamp

    @Test
    @DisplayName("an acquisition whose answer got lost is recognised: the same token, one holder")
    void acquireAnswerLost() throws InterruptedException {
        line.next(1, "UpdateItem", Fault.lostAnswer());
        assertHeldBy(take());
        assertThat(line.passed().stream().filter("UpdateItem"::equals)).hasSize(1);
    }

    @Test
    @DisplayName("an acquisition that never arrived is made")
    void acquireRequestLost() throws InterruptedException {
        line.next(1, "UpdateItem", Fault.lostRequest());
        assertHeldBy(take());
    }

    @Test
    @DisplayName("a release whose answer got lost is a release")
    void releaseAnswerLost() throws InterruptedException {
        Lease lease = take();
        line.next(1, "UpdateItem", Fault.lostAnswer());
        assertThat(lease.release()).isTrue();
        assertFree();
    }

    @Test
    @DisplayName("a change that was made though DynamoDB said it failed is recognised")
    void doneButFailed() throws InterruptedException {
        line.next(1, "UpdateItem", Fault.doneButFailed());
        Lease lease = take();
        assertHeldBy(lease);
        line.next(1, "UpdateItem", Fault.doneButFailed());
        assertThat(lease.release()).isTrue();
        assertFree();
    }

    @Test
    @DisplayName("answers slower than a request may take are not waited for, and change nothing twice")
    void slowAnswers() throws InterruptedException {
        line.next(1, "UpdateItem", Fault.slow(Duration.ofSeconds(3)));
        Lease lease = take();
        assertHeldBy(lease);
        assertThat(locks.tryAcquire("lock")).isInstanceOf(Attempt.Busy.class);
    }

    // ---- told apart

    @Test
    @DisplayName("a burst of throttling, of 5xx, of lost connections costs time, not the lock")
    void bursts() throws InterruptedException {
        line.next(6, "", Fault.refused(400, "ProvisionedThroughputExceededException"));
        Lease lease = take();
        assertHeldBy(lease);
        line.next(6, "", Fault.refused(503, "ServiceUnavailable"));
        assertThat(lease.release()).isTrue();
        assertFree();
        line.next(6, "", Fault.lostRequest());
        assertHeldBy(take());
    }

    @Test
    @DisplayName("a holder whose renewals are throttled keeps its lock once they get through in time")
    void throttledRenewals() throws InterruptedException {
        Lease lease = locks.acquire("lock", o -> o.lease(Duration.ofSeconds(9)));
        String before = renewed();
        line.next(8, "UpdateItem", Fault.refused(400, "ThrottlingException"));
        Await.until("it was renewed", () -> !renewed().equals(before));
        assertHeldBy(lease);
    }

    private String renewed() {
        return Dynamo.item(table, "default:lock").get("expiresAt").n();
    }

    @Test
    @DisplayName("throttling that does not end is unavailable, never busy and never free")
    void throttled() {
        try (LockClient hasty = LockClient.on(
                Locks.open(table, line.port(), DynamoConfig.DEFAULT.withHistory(false)),
                ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1)))) {
            line.always(Fault.refused(400, "RequestLimitExceeded"));
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> hasty.tryAcquire("lock"))
                    .withMessageContaining("takes no more requests")
                    .withMessageContaining(table);
            line.heal();
        }
    }

    @Test
    @DisplayName("an acquisition of which nothing more can be learned is unknown, not busy and not free")
    void unknown() {
        try (LockClient hasty = LockClient.on(
                Locks.open(table, line.port(), DynamoConfig.DEFAULT.withHistory(false)),
                ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(1)))) {
            line.next(1, "UpdateItem", request -> {
                request.forward();
                request.hangUp();
                line.always(Fault.refused(503, "ServiceUnavailable"));
            });
            assertThatExceptionOfType(OutcomeUnknownException.class).isThrownBy(() -> hasty.tryAcquire("lock"));
            line.heal();
        }
    }

    @ParameterizedTest(name = "{0} {1}: a read is {2}, a write {3}")
    @CsvSource({
        "400, ProvisionedThroughputExceededException, Unavailable, Unavailable",
        "400, RequestLimitExceeded, Unavailable, Unavailable",
        "400, ThrottlingException, Unavailable, Unavailable",
        "400, TransactionConflictException, Unavailable, Unavailable",
        "400, ExpiredTokenException, Unavailable, Unavailable",
        "500, InternalServerError, Unavailable, Unknown",
        "503, ServiceUnavailable, Unavailable, Unknown",
        "400, ResourceNotFoundException, Unusable, Unusable",
        "400, AccessDeniedException, Unusable, Unusable",
        "400, UnrecognizedClientException, Unusable, Unusable",
        "400, ValidationException, Unusable, Unusable"
    })
    void errors(int status, String type, String read, String write) {
        line.always(Fault.refused(status, type));
        assertThatThrownBy(() -> Await.get(store.read(KEY.record()))).isInstanceOf(named(read));
        LockRecord record = LockRecord.empty(KEY.record());
        Write one = Write.create(record);
        assertThatThrownBy(() -> Await.get(store.write(List.of(one))))
                .isInstanceOf(named(write))
                .hasMessageContaining(table)
                .hasMessageContaining(Dynamo.REGION);
    }

    private static Class<? extends StoreException> named(String name) {
        return switch (name) {
            case "Unavailable" -> StoreUnavailableException.class;
            case "Unusable" -> StoreUnusableException.class;
            default -> OutcomeUnknownException.class;
        };
    }

    @Test
    @DisplayName("of several writes at once, the one in doubt leaves the others in none")
    void oneOfSeveral() {
        line.next(1, "UpdateItem", Fault.lostRequest());
        List<Write> writes = java.util.stream.Stream.of("a", "b", "c")
                .map(name ->
                        LockRecord.empty(LockKey.of("default", name).record()).stamped(new dev.holdfast.model.Stamp(7)))
                .map(record -> Write.create(record))
                .toList();
        List<dev.holdfast.spi.WriteResult> results = Await.get(store.write(writes));
        assertThat(results)
                .filteredOn(result -> result instanceof dev.holdfast.spi.WriteResult.Failed failed
                        && failed.why() instanceof OutcomeUnknownException)
                .hasSize(1);
        assertThat(results)
                .filteredOn(result -> result instanceof dev.holdfast.spi.WriteResult.Applied)
                .hasSize(2);
    }
}
