package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.Once;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.Past;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("an item, as people and other tools read it")
class DynamoItemTest {
    private static final long SLOW = 30;
    private static final LeaseId LEASE = new LeaseId("550e8400-e29b-41d4-a716-446655440000");

    private final String table = Dynamo.freshTable();
    private final LockClient locks = Locks.plain(table, Dynamo.port());

    @AfterEach
    void close() {
        locks.close();
    }

    private Lease deploy(Duration length) throws InterruptedException {
        return locks.acquire(
                LockKey.of("deploy", "stack:shop:env:production"),
                o -> o.lease(length)
                        .leaseId(LEASE)
                        .owner("github-actions-run-12345")
                        .metadata("user", "alice@company.com")
                        .metadata("git_commit", "a1b2c3d4e5f6"));
    }

    private Map<String, AttributeValue> item() {
        return Dynamo.item(table, "deploy:stack:shop:env:production");
    }

    private long seconds(String attribute) {
        return Long.parseLong(item().get(attribute).n());
    }

    @Test
    @DisplayName("says who holds the lock, since when, until when, and why")
    void held() throws InterruptedException {
        long now = Instant.now().getEpochSecond();
        Lease lease = deploy(Duration.ofHours(1));
        assertThat(text("namespace")).isEqualTo("deploy");
        assertThat(text("lockName")).isEqualTo("stack:shop:env:production");
        assertThat(text("lockKey")).isEqualTo("stack:shop:env:production");
        assertThat(text("owner")).isEqualTo("github-actions-run-12345");
        assertThat(text("lockedBy")).isEqualTo("github-actions-run-12345");
        assertThat(text("leaseId")).isEqualTo(LEASE.value());
        assertThat(text("instanceId")).isEqualTo(LEASE.value());
        assertThat(seconds("leaseDuration")).isEqualTo(3_600);
        assertThat(seconds("token")).isEqualTo(lease.token().value());
        assertThat(seconds("fence")).isEqualTo(lease.token().value());
        assertThat(seconds("lockedAt")).isCloseTo(now, within(SLOW));
        assertThat(seconds("lastHeartbeat")).isCloseTo(now, within(SLOW));
        assertThat(seconds("expiresAt")).isCloseTo(now + 3_600, within(SLOW));
        assertThat(item().get("metadata").m())
                .containsEntry("user", AttributeValue.fromS("alice@company.com"))
                .containsEntry("git_commit", AttributeValue.fromS("a1b2c3d4e5f6"));
    }

    private String text(String attribute) {
        return item().get(attribute).s();
    }

    @Test
    @DisplayName("may be removed by DynamoDB when the lease has been over for ten minutes")
    void lifeOfAHold() throws InterruptedException {
        deploy(Duration.ofHours(1));
        long kept = seconds("expiresAt") + Past.KEEP_ENDED.toSeconds();
        assertThat(seconds("expiry")).isBetween(kept, kept + 1);
        assertThat(seconds("busyUntil")).isEqualTo(seconds("expiresAt"));
    }

    @Test
    @DisplayName("loses what is about a holder with the holder, and may be removed a day later")
    void released() throws InterruptedException {
        long now = Instant.now().getEpochSecond();
        Lease lease = deploy(Duration.ofHours(1));
        assertThat(lease.release()).isTrue();
        assertThat(item())
                .doesNotContainKeys(
                        "owner",
                        "lockedBy",
                        "leaseId",
                        "instanceId",
                        "token",
                        "expiresAt",
                        "busyUntil",
                        "metadata",
                        "lastHeartbeat");
        assertThat(item().get("busy").bool()).isFalse();
        assertThat(seconds("fence")).isEqualTo(lease.token().value());
        assertThat(seconds("expiry")).isCloseTo(now + 24 * 3_600, within(SLOW));
    }

    @Test
    @DisplayName("is not removed by DynamoDB while it knows that once-only work was done")
    void doneStays() throws Exception {
        assertThat(locks.runOnce("setup", "v1", lease -> {})).isInstanceOf(Once.class);
        assertThat(Dynamo.item(table, "default:setup")).doesNotContainKey("expiry");
    }

    @Test
    @DisplayName("has an end of its life also if who took the lock had not read it")
    void unseen() throws InterruptedException {
        locks.acquire("used", o -> o.lease(Duration.ofMinutes(1))).close();
        try (LockClient fresh = Locks.plain(table, Dynamo.port());
                Lease lease = fresh.acquire("used", o -> o.lease(Duration.ofMinutes(1)))) {
            long end = lease.expiresAt().orElseThrow().plus(Past.KEEP_ENDED).getEpochSecond();
            assertThat(Long.parseLong(
                            Dynamo.item(table, "default:used").get("expiry").n()))
                    .isBetween(end, end + 1);
        }
    }

    @Test
    @DisplayName("keeps attributes that other tools added")
    void othersAttributesStay() throws InterruptedException {
        Lease lease = deploy(Duration.ofHours(1));
        Dynamo.client()
                .updateItem(update -> update.tableName(table)
                        .key(Map.of("lockId", AttributeValue.fromS("deploy:stack:shop:env:production")))
                        .updateExpression("SET note = :note")
                        .expressionAttributeValues(Map.of(":note", AttributeValue.fromS("ask Bob first"))))
                .join();
        assertThat(lease.release()).isTrue();
        assertThat(text("note")).isEqualTo("ask Bob first");
    }

    @Test
    @DisplayName("has the instanceId of a caller of /v1")
    void instanceId() throws InterruptedException {
        locks.acquire("named", o -> o.leaseId(LeaseId.ofInstance("alice", "pod-1")));
        assertThat(Dynamo.item(table, "default:named").get("instanceId").s()).isEqualTo("pod-1");
    }
}
