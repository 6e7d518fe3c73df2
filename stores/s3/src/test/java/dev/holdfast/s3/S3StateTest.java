package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.aws.ServerTime;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.s3.S3AsyncClient;

/** State in a bucket: the layout others know, and the promises that hold there. */
@DisplayName("state in a bucket")
class S3StateTest {
    private static final String PREFIX = "locks/";
    private static final Stack SHOP = new Stack("shop", "prod");
    private static final Provenance ALICE = Provenance.of("alice", "apply");

    private final S3DocumentFixture fixture = new S3DocumentFixture();
    private final S3AsyncClient client = S3Clients.of(BucketAddress.of(fixture.url()), S3Config.DEFAULT);
    private final BucketRequests bucket =
            new BucketRequests(client, BucketAddress.of(fixture.url()), S3Config.DEFAULT, ServerTime.DATE);
    private final DocumentStore documents = fixture.open();
    private final LockClient locks = LockClient.connect("memory:");
    private final StateManager state = StateManager.on(locks, documents, StateConfig.DEFAULT.withVisibleLocks(true));

    @AfterEach
    void close() {
        state.close();
        locks.close();
        documents.close();
        client.close();
        fixture.close();
    }

    @Test
    @DisplayName(
            "is found where the deployer looks for it: document, history and lock files, and nothing else is touched (003.1)")
    void layout() throws Exception {
        bucket.create(PREFIX + "pulumi/stack.json", bytes("theirs")).join();
        String version;
        try (Lease lease = held()) {
            assertThat(text("stacks/shop/prod/state.json.lock"))
                    .hasValueSatisfying(it -> assertThat(it).contains("alice"));
            assertThat(text("locks/shop-prod.lock")).isPresent();
            version = saved(state.save(lease, bytes("{\"serial\": 1}\n"), ALICE));
        }
        state.showLock(SHOP);
        assertThat(text("stacks/shop/prod/state.json")).contains("{\"serial\": 1}\n");
        assertThat(text("stacks/shop/prod/history/" + version + ".json")).contains("{\"serial\": 1}\n");
        assertThat(text("stacks/shop/prod/state.json.lock")).isEmpty();
        assertThat(text("locks/shop-prod.lock")).isEmpty();
        assertThat(text("pulumi/stack.json")).contains("theirs");
        List<String> plain =
                bucket.list(PREFIX + "stacks/", Optional.empty(), 100).join().keys();
        assertThat(plain).hasSize(2);
    }

    @Test
    @DisplayName("encrypted is so in the copies for people too, wherever one looks in the bucket")
    void encrypted() throws Exception {
        try (StateManager sealed =
                StateManager.on(locks, documents, StateConfig.DEFAULT.withKeys(EncryptedFixture.keys('a')))) {
            saved(sealed.saveUnlocked(SHOP, bytes("{\"serial\": 1, \"password\": \"hunter2\"}"), ALICE));
            List<String> all = bucket.list("", Optional.empty(), 100).join().keys();
            assertThat(all).hasSizeGreaterThan(4);
            for (String key : all) {
                assertThat(new String(bucket.getAll(key).join().orElseThrow(), StandardCharsets.ISO_8859_1))
                        .as(key)
                        .doesNotContain("hunter2");
            }
            assertThat(text("stacks/shop/prod/state.json"))
                    .hasValueSatisfying(it -> assertThat(it).startsWith("holdfast-sealed/1\n"));
            assertThat(sealed.load(SHOP).orElseThrow().text()).contains("hunter2");
        }
    }

    @Test
    @DisplayName("cannot be overwritten by who lost the lock, also before the next holder has saved")
    void zombie() throws Exception {
        Lease zombie = held();
        saved(state.save(zombie, bytes("{\"serial\": 1}"), ALICE));
        locks.inspect().forceUnlock(zombie.key(), zombie.token(), "stuck");
        try (Lease next = held()) {
            assertThat(state.save(zombie, bytes("{\"serial\": 2}"), ALICE)).isInstanceOf(StateRefusal.class);
            saved(state.save(next, bytes("{\"serial\": 3}"), ALICE));
            assertThat(state.save(zombie, bytes("{\"serial\": 4}"), ALICE)).isInstanceOf(StateRefusal.class);
        }
        assertThat(text("stacks/shop/prod/state.json")).contains("{\"serial\": 3}");
        assertThat(state.history(SHOP, 10).versions()).hasSize(2);
    }

    private Lease held() throws InterruptedException {
        Lease lease = locks.acquire(SHOP.lock(), o -> o.owner("alice"));
        assertThat(state.claim(lease)).isInstanceOf(ClaimOutcome.Claimed.class);
        return lease;
    }

    private static String saved(SaveOutcome outcome) {
        assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
        return ((SaveOutcome.Saved) outcome).version().version();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Optional<String> text(String name) {
        return bucket.getAll(PREFIX + name).join().map(found -> new String(found, StandardCharsets.UTF_8));
    }
}
