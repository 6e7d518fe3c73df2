package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.holdfast.Lease;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("state under a master key")
final class EncryptedStateTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final Provenance ALICE = Provenance.of("alice", "apply");
    private static final String CURRENT = "stacks/shop/production/state.json";

    private final World world = new World();

    @AfterEach
    void close() {
        world.close();
    }

    private StateManager state(MasterKeys keys) {
        return StateManager.on(
                world.locks,
                world.documents,
                world.config().withVisibleLocks(true).withKeys(keys));
    }

    private static byte[] doc(int serial) {
        return ("{\"version\":4,\"serial\":" + serial
                        + ",\"lineage\":\"l\",\"outputs\":{\"p\":{\"value\":\"hunter2\"}}}")
                .getBytes(StandardCharsets.UTF_8);
    }

    private String raw(String name) {
        return new String(world.documents.get(name).orElseThrow().content(), StandardCharsets.ISO_8859_1);
    }

    @Test
    @DisplayName(
            "leaves nothing of its contents in any document: current, history, backup; who holds it is still shown")
    void nothingPlain() throws Exception {
        StateManager state = state(EncryptedFixture.keys('a'));
        try (Lease lease = world.locks.acquire(SHOP.lock(), o -> {})) {
            state.claim(lease);
            state.save(lease, doc(1), ALICE);
            state.save(lease, doc(2), ALICE);
            state.backup(SHOP);
            List<DocumentHead> all =
                    world.documents.list(ListRequest.of("", 100)).heads();
            assertThat(all).hasSizeGreaterThan(5);
            for (DocumentHead head : all) {
                assertThat(raw(head.name())).as(head.name()).doesNotContain("hunter2");
            }
            assertThat(raw(CURRENT + ".lock")).contains("locked_by");
        }
        assertThat(state.load(SHOP).orElseThrow().text()).contains("hunter2");
        assertThat(state.current(SHOP).orElseThrow().size()).isEqualTo(doc(2).length);
        assertThat(state.verify(SHOP).isGood()).isTrue();
    }

    @Test
    @DisplayName(
            "saved again with the same bytes by the same lease is that version, although nothing is encrypted twice alike")
    void repeated() throws Exception {
        StateManager state = state(EncryptedFixture.keys('a'));
        try (Lease lease = world.locks.acquire(SHOP.lock(), o -> {})) {
            state.claim(lease);
            state.save(lease, doc(1), ALICE);
            assertThat(state.save(lease, doc(1), ALICE)).isInstanceOf(SaveOutcome.Repeated.class);
        }
        assertThat(state.history(SHOP, 10).versions()).hasSize(1);
    }

    @Test
    @DisplayName(
            "is neither given out nor replaced nor deleted by who has another key, or none; what was there is there after")
    void wrongKey() throws Exception {
        StateManager right = state(EncryptedFixture.keys('a'));
        right.saveUnlocked(SHOP, doc(1), ALICE);
        String id = EncryptedFixture.keys('a').first().orElseThrow().id();
        String before = raw(CURRENT);
        for (MasterKeys keys : List.of(EncryptedFixture.keys('b'), MasterKeys.NONE)) {
            StateManager wrong = state(keys);
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> wrong.load(SHOP))
                    .withMessageContaining(id);
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> wrong.saveUnlocked(SHOP, doc(2), ALICE))
                    .withMessageContaining(id);
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> wrong.delete(SHOP, ALICE))
                    .withMessageContaining(id);
            assertThatExceptionOfType(StoreUnusableException.class).isThrownBy(() -> wrong.verify(SHOP));
        }
        assertThat(raw(CURRENT)).isEqualTo(before);
        assertThat(right.load(SHOP).orElseThrow().content()).isEqualTo(doc(1));
        assertThat(right.saveUnlocked(SHOP, doc(2), ALICE)).isInstanceOf(SaveOutcome.Saved.class);
    }

    @Test
    @DisplayName(
            "goes on under a new key with the old one behind it; versions under the old one are read, compared and restored")
    void rotation() {
        state(MasterKeys.NONE).saveUnlocked(SHOP, doc(1), ALICE);
        state(EncryptedFixture.keys('a')).saveUnlocked(SHOP, doc(2), ALICE);
        StateManager rotated = state(EncryptedFixture.keys('b', 'a'));
        rotated.saveUnlocked(SHOP, doc(3), ALICE);
        List<StateVersion> versions = rotated.history(SHOP, 10).versions();
        assertThat(versions).extracting(StateVersion::serial).containsExactly(3L, 2L, 1L);
        assertThat(rotated.verify(SHOP).isGood()).isTrue();
        assertThat(rotated.diff(SHOP, versions.get(2).version(), versions.get(0).version())
                        .orElseThrow()
                        .changes())
                .isNotEmpty();
        rotated.restore(SHOP, versions.get(1).version(), ALICE);
        assertThat(state(EncryptedFixture.keys('b'))
                        .load(SHOP)
                        .orElseThrow()
                        .version()
                        .serial())
                .isEqualTo(4);
    }

    @Test
    @DisplayName(
            "that was changed or moved in the store is damaged: named, verified as such, and healed from the history")
    void damaged() {
        StateManager state = state(EncryptedFixture.keys('a'));
        state.saveUnlocked(SHOP, doc(1), ALICE);
        String good = state.current(SHOP).orElseThrow().version();
        state.saveUnlocked(SHOP, doc(2), ALICE);
        Document current = world.documents.get(CURRENT).orElseThrow();
        byte[] bent = current.content().clone();
        bent[bent.length - 20] ^= 1;
        world.documents.write(
                Change.put(CURRENT, Condition.none(), bent, current.head().attributes()));
        assertThatExceptionOfType(StateCorruptException.class)
                .isThrownBy(() -> state.load(SHOP))
                .withMessageContainingAll("cannot be decrypted", "state restore");
        assertThat(state.verify(SHOP).damaged())
                .hasSize(1)
                .allSatisfy(it -> assertThat(it.current()).isTrue());
        // The state of another stack in its place, with everything that stands beside it.
        Stack other = new Stack("other", "production");
        state.saveUnlocked(other, doc(9), ALICE);
        Document foreign =
                world.documents.get("stacks/other/production/state.json").orElseThrow();
        world.documents.write(Change.put(
                CURRENT, Condition.none(), foreign.content(), foreign.head().attributes()));
        assertThatExceptionOfType(StateCorruptException.class)
                .isThrownBy(() -> state.load(SHOP))
                .withMessageContaining("moved here");
        assertThat(state.restore(SHOP, good, ALICE)).isInstanceOf(RestoreOutcome.Restored.class);
        assertThat(state.load(SHOP).orElseThrow().text()).contains("hunter2");
    }
}
