package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.state.terraform.ForcePolicy;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("waiting for a stack by asking again")
class StateQueueTest {
    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String B = "bbbbbbbb-0000-4000-8000-000000000002";
    private static final String C = "cccccccc-0000-4000-8000-000000000003";

    private TestServer server;
    private StateClient stack;

    @BeforeEach
    void start() {
        server = with(Duration.ofMillis(50));
        stack = StateClient.of(server, "shop");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static TestServer with(Duration lockWait) {
        return new Setup()
                .state(new ServerOptions.State(
                        Optional.empty(),
                        StateConfig.DEFAULT,
                        new LockHabits(Duration.ofHours(1), lockWait, ForcePolicy.ANY),
                        10_000))
                .start();
    }

    private int waiting() {
        return stack.look().get("waiters").list().size();
    }

    @Test
    @DisplayName("the first time gives no place, the second does")
    void places() {
        stack.lock(A);
        assertThat(stack.lock(B).status()).isEqualTo(423);
        assertThat(waiting()).isZero();
        assertThat(stack.lock(B).status()).isEqualTo(423);
        assertThat(waiting()).isEqualTo(1);
    }

    @Test
    @DisplayName("a freed lock is kept for the first in line, whoever asks meanwhile")
    void inOrder() {
        for (int attempt = 1; attempt <= 10; attempt++) {
            stack = StateClient.of(server, "shop-" + attempt);
            stack.lock(A);
            stack.lock(B);
            long asked = System.nanoTime();
            stack.lock(B);
            stack.lock(C);
            stack.lock(C);
            stack.unlock(A);
            Answer second = stack.lock(C);
            Answer first = stack.lock(B);
            // A place is kept for a second at least; on a machine that was slower than that, it is tried again.
            if (System.nanoTime() - asked < Duration.ofMillis(900).toNanos()) {
                assertThat(second.status()).isEqualTo(423);
                assertThat(second.json().get("ID").text()).isEqualTo(B);
                assertThat(first.status()).isEqualTo(200);
                stack.unlock(B);
                Await.until("it is the second's turn", () -> stack.lock(C).status() == 200);
                return;
            }
        }
        Assumptions.abort("this machine is too slow to ask six times within a second");
    }

    @Test
    @DisplayName("the lease id of a waiter that did not come by LOCK is its secret, also while the lock is kept for it")
    void secretOfWaiter() {
        String secret = "secret-lease-of-v2";
        stack.lock(A);
        Answer queued = stack.client()
                .post(
                        "/v2/locks/acquire",
                        "{\"namespace\":\"deploy\",\"name\":\"stack:shop:env:prod\",\"lease_ms\":60000,\"wait_ms\":100,"
                                + "\"owner\":\"worker\",\"lease_id\":\"" + secret + "\"}");
        assertThat(queued.status()).isEqualTo(202);
        stack.unlock(A);
        Answer reserved = stack.lock(B);
        assertThat(reserved.status()).isEqualTo(423);
        assertThat(reserved.body()).doesNotContain(secret).contains("worker", "reserved for the first in line");
        assertThat(reserved.json().get("ID").text()).isNotEmpty();
    }

    @Test
    @DisplayName("who does not come back costs the others a moment, and may come back at the end of the line")
    void deadHead() {
        stack.lock(A);
        stack.lock(B);
        stack.lock(B);
        stack.unlock(A);
        Await.until("the place of the first was given up", () -> stack.lock(C).status() == 200);
        assertThat(stack.lock(B).status()).isEqualTo(423);
        assertThat(stack.lock(B).status()).isEqualTo(423);
        stack.unlock(C);
        Await.until("the first has its turn after all", () -> stack.lock(B).status() == 200);
        assertThat(stack.lock(C).status()).isEqualTo(409);
        assertThat(stack.save(B, state(1)).status()).isEqualTo(200);
        assertThat(stack.history().get(0).get("lock_id").text()).isEqualTo(B);
        assertThat(stack.lock(A.replace('0', '9')).json().get("ID").text()).isEqualTo(B);
        assertThat(stack.unlock(B).status()).isEqualTo(200);
        assertThat(stack.unlock(B).status()).isEqualTo(200);
        assertThat(stack.lock(B).status()).isEqualTo(409);
    }

    @Test
    @DisplayName("who waits at the server has the lock the moment it is free, in the order in which they came")
    void atOnce() {
        try (TestServer patient = with(Duration.ofSeconds(30))) {
            stack = StateClient.of(patient, "shop");
            stack.lock(A);
            CompletableFuture<Answer> first = waits(B, 1);
            CompletableFuture<Answer> second = waits(C, 2);
            stack.unlock(A);
            assertThat(Await.get(first).status()).isEqualTo(200);
            assertThat(second).isNotDone();
            assertThat(stack.save(B, state(1)).status()).isEqualTo(200);
            stack.unlock(B);
            assertThat(Await.get(second).status()).isEqualTo(200);
        }
    }

    private CompletableFuture<Answer> waits(String id, int place) {
        assertThat(stack.lock(id).status()).isEqualTo(423);
        byte[] info = StateClient.info(id).getBytes(StandardCharsets.UTF_8);
        CompletableFuture<Answer> turn = stack.client().sendLater(stack.request("LOCK", "", info));
        Await.until("it waits", () -> waiting() == place);
        return turn;
    }
}
