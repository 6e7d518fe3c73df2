package dev.holdfast.server;

import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.state.ForcePolicy;
import dev.holdfast.server.state.LockHabits;
import dev.holdfast.state.StateConfig;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
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
                .state(new ServerConfig.State(
                        Optional.empty(),
                        StateConfig.DEFAULT,
                        new LockHabits(Duration.ofHours(1), lockWait, ForcePolicy.ANY)))
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
        stack.lock(A);
        for (String id : new String[] {B, B, C, C}) {
            assertThat(stack.lock(id).status()).isEqualTo(423);
        }
        stack.unlock(A);
        Answer kept = stack.lock(C);
        Answer first = stack.lock(B);
        // Unless this machine was so slow that the place of the first was given up.
        if (kept.status() == 423) {
            assertThat(kept.json().get("ID").text()).isEqualTo(B);
            assertThat(first.status()).isEqualTo(200);
            stack.unlock(B);
            Await.until("it is the second's turn", () -> stack.lock(C).status() == 200);
        } else {
            assertThat(first.status()).isEqualTo(423);
        }
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
    @DisplayName("who waits at the server has the lock the moment it is free")
    void atOnce() {
        try (TestServer patient = with(Duration.ofSeconds(30))) {
            stack = StateClient.of(patient, "shop");
            stack.lock(A);
            assertThat(stack.lock(B).status()).isEqualTo(423);
            CompletableFuture<Answer> turn = stack.client()
                    .sendLater(stack.request(
                            "LOCK", "", StateClient.info(B).getBytes(java.nio.charset.StandardCharsets.UTF_8)));
            Await.until("it waits", () -> waiting() == 1);
            assertThat(turn).isNotDone();
            stack.unlock(A);
            assertThat(Await.get(turn).status()).isEqualTo(200);
            assertThat(stack.save(B, state(1)).status()).isEqualTo(200);
        }
    }
}
