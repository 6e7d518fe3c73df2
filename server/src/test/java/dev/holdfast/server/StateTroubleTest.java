package dev.holdfast.server;

import static dev.holdfast.server.StateClient.info;
import static dev.holdfast.server.StateClient.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.memory.MemoryStore;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.http.Route;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.terraform.LockHabits;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("state in trouble")
class StateTroubleTest {
    private static final String A = "aaaaaaaa-0000-4000-8000-000000000001";
    private static final String B = "bbbbbbbb-0000-4000-8000-000000000002";

    private static Setup on(String documents) {
        return new Setup()
                .state(new ServerOptions.State(
                        Optional.of(documents), StateConfig.DEFAULT, LockHabits.DEFAULT, 10_000));
    }

    @Test
    @DisplayName("a lock that cannot be claimed is given back: 503, and the same ID can try again")
    void unclaimed() {
        TroubledDocuments documents = TroubledDocuments.named("claim");
        try (TestServer server = on("troubled:claim").start()) {
            StateClient stack = StateClient.of(server, "shop");
            documents.unreachable = true;
            Answer failed = stack.lock(A);
            assertThat(failed.status()).isEqualTo(503);
            assertThat(failed.json().get("code").text()).isEqualTo("store-unavailable");
            assertThat(stack.look().get("held").truth()).isFalse();
            documents.unreachable = false;
            assertThat(stack.lock(A).status()).isEqualTo(200);
            assertThat(stack.lock(B).body()).isEqualTo(info(A));
            assertThat(stack.save(A, state(1)).status()).isEqualTo(200);
            documents.unreachable = true;
            assertThat(stack.save(A, state(2)).status()).isEqualTo(503);
            assertThat(stack.load().status()).isEqualTo(503);
            documents.unreachable = false;
            assertThat(stack.save(A, state(2)).status()).isEqualTo(200);
            assertThat(stack.unlock(A).status()).isEqualTo(200);
            assertThat(stack.unlock(A).status()).isEqualTo(200);
            assertThat(stack.look().get("held").truth()).isFalse();
        }
    }

    @Test
    @DisplayName(
            "a stack that a later holder has claimed is refused with 409 and the reason, in the field that terraform shows; nobody holds it")
    void fenced(@TempDir Path directory) {
        String documents = "file:" + directory;
        try (StateManager later = StateManager.open("memory:", documents, StateConfig.DEFAULT)) {
            Token ahead = new Token(Times.micros(Instant.now().plus(Duration.ofHours(1))));
            later.claim(new Stack("shop", "prod"), LeaseId.ofBits(5, 6), ahead);
        }
        try (TestServer server = on(documents).start()) {
            StateClient stack = StateClient.of(server, "shop");
            for (int i = 0; i < 2; i++) {
                Answer refused = stack.lock(A);
                assertThat(refused.status()).isEqualTo(409);
                assertThat(refused.json().get("code").text()).isEqualTo("state-refused");
                assertThat(refused.json().get("reason").text()).isEqualTo("fenced");
                assertThat(refused.json().get("ID").text())
                        .isEqualTo("none. " + refused.json().get("detail").text())
                        .contains("shop", "later holder", "state.store");
                assertThat(stack.look().get("held").truth()).isFalse();
            }
        }
    }

    @Test
    @DisplayName("damaged bytes are 500 with the version and the command that heals, never the bytes")
    void damaged() {
        TroubledDocuments documents = TroubledDocuments.named("damage");
        try (TestServer server = on("troubled:damage").start()) {
            StateClient stack = StateClient.of(server, "shop");
            Answer saved = stack.send("POST", "", state(1));
            documents.damaged = true;
            Answer corrupt = stack.load();
            assertThat(corrupt.status()).isEqualTo(500);
            assertThat(corrupt.json().get("code").text()).isEqualTo("state-corrupt");
            String version = saved.json().get("version").text();
            assertThat(corrupt.json().get("version").text()).isEqualTo(version);
            assertThat(corrupt.json().get("detail").text())
                    .contains("holdfast state restore shop prod --version " + version);
            assertThat(corrupt.body()).doesNotContain("lineage");
            assertThat(stack.send("POST", "/verify", "").json().get("good").truth())
                    .isFalse();
        }
    }

    @Test
    @DisplayName(
            "encrypted state is not in any file; without its key it is neither given out nor replaced, and its key is named")
    void encrypted(@TempDir Path directory) throws Exception {
        String documents = "sqlite:" + directory.resolve("state.db");
        String secret = state(1).replaceFirst("\\{", "{\"password\":\"hunter2\",");
        try (TestServer server = sealed(documents, EncryptedFixture.keys('a')).start()) {
            StateClient stack = StateClient.of(server, "shop");
            assertThat(stack.send("POST", "", secret).status()).isEqualTo(200);
            assertThat(stack.load().body()).isEqualTo(secret);
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .as(file.toString())
                            .doesNotContain("hunter2");
                }
            }
        }
        String key = EncryptedFixture.keys('a').first().orElseThrow().id();
        for (MasterKeys keys : List.of(EncryptedFixture.keys('b'), MasterKeys.NONE)) {
            try (TestServer server = sealed(documents, keys).start()) {
                StateClient stack = StateClient.of(server, "shop");
                for (Answer answer : List.of(stack.load(), stack.send("POST", "", state(2)))) {
                    assertThat(answer.status()).isEqualTo(503);
                    assertThat(answer.json().get("code").text()).isEqualTo("store-unusable");
                    assertThat(answer.json().get("detail").text()).contains(key, "state.encryption.keys");
                }
            }
        }
        try (TestServer server =
                sealed(documents, EncryptedFixture.keys('b', 'a')).start()) {
            assertThat(StateClient.of(server, "shop").load().body()).isEqualTo(secret);
        }
    }

    private static Setup sealed(String documents, MasterKeys keys) {
        return new Setup()
                .state(new ServerOptions.State(
                        Optional.of(documents), StateConfig.DEFAULT.withKeys(keys), LockHabits.DEFAULT, 10_000));
    }

    @Test
    @DisplayName("where the locks' store keeps no documents, every call says what to set: 501")
    void noDocuments() {
        try (TestServer server = TestServer.start(new Setup().store("odd:place").config(), MemoryStore.exclusive())) {
            Client client = Client.of(server);
            for (Route route : server.server.routes()) {
                if (route.path().startsWith("/state")) {
                    Answer answer = client.send(SampleCalls.of(client, route, "prod", "shop"));
                    assertThat(answer.status()).as(route.path()).isEqualTo(501);
                    assertThat(answer.json().get("detail").text()).contains("state.store", "s3:", "file:");
                }
            }
        }
    }

    @Test
    @DisplayName("a state.store that nobody understands is refused at the start")
    void wrongStore() {
        assertThatThrownBy(() -> on("odd:place").start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("state.store")
                .hasMessageContaining("odd:place");
    }

    @Test
    @DisplayName("a lock with much to say survives a restart, word for word")
    void restart(@TempDir Path directory) {
        String store = "sqlite:" + directory.resolve("locks.db");
        String huge = "{\"ID\":\"" + A + "\",\"Info\":\"" + "long ".repeat(5_000) + "\",\"Who\":\"me\"}";
        try (TestServer server = new Setup().store(store).start()) {
            StateClient stack = StateClient.of(server, "shop");
            assertThat(stack.send("LOCK", "", huge).status()).isEqualTo(200);
        }
        try (TestServer server = new Setup().store(store).start()) {
            StateClient stack = StateClient.of(server, "shop");
            Answer busy = stack.lock(B);
            assertThat(busy.status()).isEqualTo(423);
            assertThat(busy.body()).isEqualTo(huge);
            assertThat(stack.save(A, state(1)).status()).isEqualTo(200);
            assertThat(stack.unlock(A).status()).isEqualTo(200);
        }
    }

    @Test
    @DisplayName("visible locks are files beside the state, while it is held")
    void visible() {
        TroubledDocuments documents = TroubledDocuments.named("visible");
        Setup setup = new Setup()
                .state(new ServerOptions.State(
                        Optional.of("troubled:visible"),
                        StateConfig.DEFAULT.withVisibleLocks(true),
                        LockHabits.DEFAULT,
                        10_000));
        try (TestServer server = setup.start()) {
            StateClient stack = StateClient.of(server, "shop");
            stack.lock(A);
            assertThat(documents.get("stacks/shop/prod/state.json.lock")).isPresent();
            assertThat(documents.get("locks/shop-prod.lock")).isPresent();
            stack.unlock(A);
            assertThat(documents.get("stacks/shop/prod/state.json.lock")).isEmpty();
            stack.lock(B);
            stack.forceUnlock();
            assertThat(documents.get("locks/shop-prod.lock")).isEmpty();
        }
    }
}
