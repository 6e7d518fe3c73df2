package dev.holdfast.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.Times;
import dev.holdfast.model.Token;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.spi.AccessRefusedException;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State through a server. */
class ServerStatesTest extends StateManagerContract {
    private HoldfastServer server;
    private LockClient locks;
    private StateManager states;

    @BeforeEach
    void start() {
        server = LocalServer.inMemory();
        ServerConfig config = ServerConfig.of(LocalServer.url(server));
        locks = ServerLocks.client(config, ClientConfig.DEFAULT);
        states = ServerStates.on(locks, config, ClientConfig.DEFAULT);
    }

    @AfterEach
    void stop() {
        states.close();
        locks.close();
        server.close();
    }

    // ---- over a line that fails

    private static final String HISTORY = ServerStates.path(SHOP) + "/history";

    private StateManager through(Front front) {
        ClientConfig quick = ClientConfig.DEFAULT.withOperationTimeout(Duration.ofSeconds(2));
        return ServerStates.on(locks, ServerConfig.of(front.url()), quick);
    }

    private Front front() throws IOException {
        return new Front(LocalServer.url(server));
    }

    @Test
    @DisplayName("what was saved or restored is told as saved or restored, whether or not its history can be read then")
    void doneWithoutHistory() throws Exception {
        try (Front front = front();
                StateManager far = through(front)) {
            front.always(HISTORY, Front.Fault.BAD_GATEWAY);
            StateVersion first = ((SaveOutcome.Saved) far.saveUnlocked(SHOP, state(1, "a"), BY)).version();
            StateVersion second;
            try (Lease lease = claimed()) {
                second = ((SaveOutcome.Saved) far.save(lease, state(2, "b"), BY)).version();
            }
            RestoreOutcome.Restored back = (RestoreOutcome.Restored) far.restore(SHOP, first.version(), BY);
            assertThat(back.from()).isEqualTo(first);
            assertThat(far.load(SHOP).orElseThrow().version()).isEqualTo(back.version());
            assertThat(front.seen(HISTORY)).as("nothing is asked again").isEmpty();
            assertThat(states.history(SHOP, 10).versions()).containsExactly(back.version(), second, first);
        }
    }

    @Test
    @DisplayName("a deletion whose answer was lost is told as one, though its repetition finds nothing")
    void deletionRepeated() throws Exception {
        String path = ServerStates.path(SHOP);
        try (Front front = front();
                StateManager far = through(front);
                Lease lease = claimed()) {
            front.next(path, Front.Fault.LOSE_ANSWER);
            saved(lease, state(1, "a"));
            assertThat(far.delete(SHOP, lease.leaseId(), BY)).isEqualTo(new DeleteOutcome.Deleted(true));
            assertThat(front.seen(path)).as("first try and repetition").hasSize(2);
            assertThat(states.load(SHOP)).isEmpty();
            assertThat(far.delete(SHOP, lease.leaseId(), BY)).isEqualTo(new DeleteOutcome.Deleted(false));
        }
    }

    // ---- rights and fences

    @Test
    @DisplayName("who may only see which versions there are sees which is current")
    void currentForReaders(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("holdfast.yaml");
        String entry = "  - {id: %s, sha256: '%s', roles: {'*': [%s]}}%n";
        Files.writeString(
                file,
                "auth.tokens:\n"
                        + entry.formatted("reader", Sha256.of("hf_token-of-reader".getBytes(UTF_8)), "read")
                        + entry.formatted("keeper", Sha256.of("hf_token-of-keeper".getBytes(UTF_8)), "state, lock"));
        try (HoldfastServer guarded = LocalServer.inMemory("--config=" + file)) {
            ServerConfig config = ServerConfig.of(LocalServer.url(guarded));
            try (StateManager reader =
                            ServerStates.connect(config.withToken("hf_token-of-reader"), ClientConfig.DEFAULT);
                    StateManager keeper =
                            ServerStates.connect(config.withToken("hf_token-of-keeper"), ClientConfig.DEFAULT)) {
                assertThat(reader.current(SHOP)).isEmpty();
                StateVersion made = ((SaveOutcome.Saved) keeper.saveUnlocked(SHOP, state(1, "a"), BY)).version();
                assertThat(reader.current(SHOP)).contains(made);
                assertThatThrownBy(() -> reader.load(SHOP)).isInstanceOf(AccessRefusedException.class);
                keeper.delete(SHOP, BY);
                assertThat(reader.current(SHOP)).isEmpty();
            }
        }
    }

    @Test
    @DisplayName("a claim that comes after a later one is refused at once, as fenced")
    void fencedClaim(@TempDir Path directory) throws Exception {
        String documents = "file:" + directory;
        try (StateManager before = StateManager.open("memory:", documents, StateConfig.DEFAULT)) {
            Instant later = Instant.now().plus(Duration.ofHours(1)); // as where the clock of the locks was set back
            before.claim(SHOP, LeaseId.ofBits(5, 6), new Token(Times.micros(later)));
        }
        try (HoldfastServer behind = LocalServer.inMemory("--state.store=" + documents)) {
            ServerConfig config = ServerConfig.of(LocalServer.url(behind));
            try (LockClient client = ServerLocks.client(config, ClientConfig.DEFAULT);
                    StateManager far = ServerStates.on(client, config, ClientConfig.DEFAULT);
                    Lease lease = client.acquire(SHOP.lock())) {
                assertThat(far.claim(lease)).isInstanceOfSatisfying(StateRefusal.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.FENCED);
                    assertThat(refused.message()).contains("shop", "later holder");
                });
            }
        }
    }

    @Override
    StateManager states() {
        return states;
    }

    @Override
    LockClient locks() {
        return locks;
    }
}
