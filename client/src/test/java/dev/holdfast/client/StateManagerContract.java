package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.holdfast.Holder;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.model.LostReason;
import dev.holdfast.spi.EventLog;
import dev.holdfast.state.DeployLocks;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployLock;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.deploy.LockInfo;
import dev.holdfast.state.deploy.UnlockOutcome;
import dev.holdfast.state.document.StateDiff;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.ClaimOutcome;
import dev.holdfast.state.versions.DeleteOutcome;
import dev.holdfast.state.versions.PointInTime;
import dev.holdfast.state.versions.Provenance;
import dev.holdfast.state.versions.RestoreOutcome;
import dev.holdfast.state.versions.SaveOutcome;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StackPage;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateVersion;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a user of state sees, in this process and through a server. */
abstract class StateManagerContract {
    static final Stack SHOP = new Stack("shop", "prod");
    static final DeployKey WHOLE = DeployKey.of(SHOP);
    static final Provenance BY = Provenance.of("alice", "apply");

    abstract StateManager states();

    abstract LockClient locks();

    static byte[] state(int serial, String value) {
        return ("{\"version\":4,\"serial\":" + serial
                        + ",\"lineage\":\"l-1\",\"outputs\":{\"url\":{\"value\":\"" + value
                        + "\",\"type\":\"string\"}},\"resources\":[]}")
                .getBytes(StandardCharsets.UTF_8);
    }

    Lease claimed() throws InterruptedException {
        Lease lease = locks().acquire(SHOP.lock(), o -> {});
        assertThat(states().claim(lease)).isEqualTo(new ClaimOutcome.Claimed(lease.token()));
        return lease;
    }

    StateVersion saved(Lease lease, byte[] bytes) {
        SaveOutcome outcome = states().save(lease, bytes, BY);
        assertThat(outcome).isInstanceOf(SaveOutcome.Saved.class);
        return ((SaveOutcome.Saved) outcome).version();
    }

    @Test
    @DisplayName("there is nothing at first")
    void nothing() {
        assertThat(states().load(SHOP)).isEmpty();
        assertThat(states().current(SHOP)).isEmpty();
        assertThat(states().history(SHOP, 10).versions()).isEmpty();
        assertThat(states().version(SHOP, "20200101T000000.000000Z-abcdefgh")).isEmpty();
        assertThat(states().backup(SHOP)).isEmpty();
        assertThat(states().restore(SHOP, "20200101T000000.000000Z-abcdefgh", BY))
                .isInstanceOf(RestoreOutcome.NoSuchVersion.class);
    }

    @Test
    @DisplayName("what the holder saves is read back, with what is known of it")
    void saves() throws Exception {
        try (Lease lease = claimed()) {
            StateVersion made = saved(lease, state(1, "a"));
            assertThat(made.serial()).isEqualTo(1);
            assertThat(made.lineage()).contains("l-1");
            assertThat(made.token()).isEqualTo(lease.token());
            var loaded = states().load(SHOP).orElseThrow();
            assertThat(loaded.content()).isEqualTo(state(1, "a"));
            assertThat(loaded.version()).isEqualTo(made);
            assertThat(states().current(SHOP)).contains(made);
            assertThat(states().version(SHOP, made.version()).orElseThrow().version())
                    .isEqualTo(made);
            assertThat(states().history(SHOP, 10).versions()).containsExactly(made);
        }
    }

    @Test
    @DisplayName("the same save again makes no second version")
    void repeats() throws Exception {
        try (Lease lease = claimed()) {
            StateVersion made = saved(lease, state(1, "a"));
            SaveOutcome again = states().save(lease, state(1, "a"), BY);
            StateVersion told = again instanceof SaveOutcome.Saved saved
                    ? saved.version()
                    : ((SaveOutcome.Repeated) again).version();
            assertThat(told).isEqualTo(made);
            assertThat(states().history(SHOP, 10).versions()).hasSize(1);
        }
    }

    @Test
    @DisplayName("a lease that ended saves nothing, and is told so")
    void lost() throws Exception {
        Lease lease = claimed();
        saved(lease, state(1, "a"));
        lease.release();
        SaveOutcome late = states().save(SHOP, lease.leaseId(), state(2, "late"), BY);
        assertThat(late)
                .isInstanceOfSatisfying(
                        StateRefusal.class,
                        refused -> assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.NOT_HELD));
        assertThat(states().load(SHOP).orElseThrow().content()).isEqualTo(state(1, "a"));
    }

    @Test
    @DisplayName("a change of a version that is not current any more is a conflict")
    void conflicts() throws Exception {
        try (Lease lease = claimed()) {
            assertThat(states().saveOver(SHOP, lease.leaseId(), Optional.empty(), state(1, "a"), BY))
                    .isInstanceOf(SaveOutcome.Saved.class);
            String first = states().current(SHOP).orElseThrow().version();
            assertThat(states().saveOver(SHOP, lease.leaseId(), Optional.of(first), state(2, "b"), BY))
                    .isInstanceOf(SaveOutcome.Saved.class);
            assertThat(states().saveOver(SHOP, lease.leaseId(), Optional.of(first), state(3, "c"), BY))
                    .isInstanceOfSatisfying(
                            StateRefusal.class,
                            refused -> assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.CONFLICT));
        }
    }

    @Test
    @DisplayName("without a lock it is saved while nobody holds one")
    void unlocked() throws Exception {
        assertThat(states().saveUnlocked(SHOP, state(1, "a"), BY)).isInstanceOf(SaveOutcome.Saved.class);
        try (Lease lease = claimed()) {
            assertThat(states().saveUnlocked(SHOP, state(2, "b"), BY))
                    .isInstanceOfSatisfying(
                            StateRefusal.class,
                            refused -> assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.LOCKED));
        }
    }

    @Test
    @DisplayName("whoever is refused because the stack is locked is told who holds it")
    void namesHolders() throws Exception {
        String first = made(states().saveUnlocked(SHOP, state(1, "a"), BY)).version();
        try (Lease lease = claimed()) {
            for (Object outcome : List.of(
                    states().saveUnlocked(SHOP, state(2, "b"), BY),
                    states().restore(SHOP, first, BY),
                    states().delete(SHOP, BY))) {
                assertThat(outcome).isInstanceOfSatisfying(StateRefusal.class, refused -> {
                    assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.LOCKED);
                    assertThat(refused.holders())
                            .extracting(Holder::key, Holder::token)
                            .containsExactly(tuple(SHOP.lock(), lease.token()));
                });
            }
        }
    }

    @Test
    @DisplayName("whoever saves under a lease that ended is told how it ended, and who holds now")
    void tellsHowItEnded() throws Exception {
        Lease lease = claimed();
        lease.release();
        try (Lease next = claimed()) {
            assertThat(states().save(SHOP, lease.leaseId(), state(1, "late"), BY))
                    .isInstanceOfSatisfying(StateRefusal.class, refused -> {
                        assertThat(refused.lost()).contains(LostReason.RELEASED);
                        assertThat(refused.holders()).extracting(Holder::token).containsExactly(next.token());
                    });
        }
    }

    private static StateVersion made(SaveOutcome outcome) {
        return ((SaveOutcome.Saved) outcome).version();
    }

    @Test
    @DisplayName("what is known of a version, and from which one was restored, is told however old it is")
    void tellsOfOldVersions() throws Exception {
        StateVersion old;
        try (Lease lease = claimed()) {
            old = saved(lease, state(1, "v1"));
            for (int i = 2; i <= 25; i++) {
                saved(lease, state(i, "v" + i));
            }
        }
        assertThat(states().version(SHOP, old.version()).orElseThrow().version())
                .isEqualTo(old);
        RestoreOutcome.Restored byName = (RestoreOutcome.Restored) states().restore(SHOP, old.version(), BY);
        assertThat(byName.from()).isEqualTo(old);
        assertThat(states().current(SHOP)).contains(byName.version());
        RestoreOutcome.Restored byTime =
                (RestoreOutcome.Restored) states().restore(SHOP, PointInTime.of(old.savedAt()), BY);
        assertThat(byTime.from()).isEqualTo(old);
        assertThat(states().current(SHOP)).contains(byTime.version());
    }

    @Test
    @DisplayName("a page that cannot be is refused, and not taken for an empty one")
    void impossiblePages() {
        states().saveUnlocked(SHOP, state(1, "a"), BY);
        for (int limit : List.of(0, StateManager.MAX_PAGE + 1)) {
            assertThatThrownBy(() -> states().list(limit, Optional.empty()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> states().history(SHOP, limit)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> states().list(10, Optional.of("not / a // cursor")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @DisplayName("what no version can be called names none, neither to read nor to compare")
    void impossibleNames() {
        String first = made(states().saveUnlocked(SHOP, state(1, "a"), BY)).version();
        states().saveUnlocked(SHOP, state(2, "b"), BY);
        for (String name : List.of("", " ", ".", "..", "a/b", "nonsense")) {
            assertThat(states().version(SHOP, name)).as("'" + name + "'").isEmpty();
            assertThat(states().diff(SHOP, name, first)).as("'" + name + "'").isEmpty();
            assertThat(states().diff(SHOP, first, name)).as("'" + name + "'").isEmpty();
        }
        assertThat(states().diff(SHOP, "", "")).isEmpty();
    }

    @Test
    @DisplayName("the history of a lock is asked for from the first to the last day there is")
    void allTimes() throws Exception {
        claimed().release();
        Instant last = Instant.parse("9999-12-31T00:00:00Z");
        for (Instant from : List.of(Instant.EPOCH, Instant.parse("0001-01-01T00:00:00Z"))) {
            assertThat(locks().inspect().history(EventLog.EventQuery.newest(5).between(from, last)))
                    .isNotEmpty();
        }
        assertThat(locks().inspect().history(EventLog.EventQuery.newest(5).between(last, last)))
                .isEmpty();
    }

    @Test
    @DisplayName("what is no JSON is refused, and nothing is changed")
    void invalid() throws Exception {
        try (Lease lease = claimed()) {
            assertThatThrownBy(() -> states().save(lease, "{".getBytes(StandardCharsets.UTF_8), BY))
                    .isInstanceOf(StateInvalidException.class);
            assertThat(states().load(SHOP)).isEmpty();
        }
    }

    @Test
    @DisplayName("versions are paged, compared, kept and restored")
    void goesBack() throws Exception {
        StateVersion first;
        StateVersion second;
        try (Lease lease = claimed()) {
            first = saved(lease, state(1, "a"));
            second = saved(lease, state(2, "b"));
        }
        var page = states().history(SHOP, 1);
        assertThat(page.versions()).containsExactly(second);
        assertThat(states().history(SHOP, 1, page.next()).versions()).containsExactly(first);

        StateDiff diff = states().diff(SHOP, first.version(), second.version()).orElseThrow();
        assertThat(diff.changes()).hasSize(2);
        assertThat(diff.changes().get(0).kind()).isEqualTo(StateDiff.Kind.CHANGED);
        assertThat(states().diff(SHOP, first.version(), "20200101T000000.000000Z-abcdefgh"))
                .isEmpty();

        assertThat(states().backup(SHOP).orElseThrow().version()).isEqualTo(second.version());
        RestoreOutcome back = states().restore(SHOP, first.version(), BY);
        assertThat(back).isInstanceOfSatisfying(RestoreOutcome.Restored.class, restored -> {
            assertThat(restored.version().serial()).isEqualTo(3);
            assertThat(restored.from()).isEqualTo(first);
        });
        Optional<String> seen = Optional.of(second.version());
        assertThat(states().restoreOver(SHOP, seen, first.version(), BY))
                .isInstanceOfSatisfying(
                        StateRefusal.class,
                        refused -> assertThat(refused.reason()).isEqualTo(StateRefusal.Reason.CONFLICT));
        Optional<String> current = states().current(SHOP).map(StateVersion::version);
        assertThat(states().restoreOver(SHOP, current, first.version(), BY))
                .isInstanceOf(RestoreOutcome.Restored.class);
        assertThat(states().restore(SHOP, PointInTime.of(second.savedAt()), BY))
                .isInstanceOf(RestoreOutcome.Restored.class);
        assertThat(states().restore(SHOP, PointInTime.parse("2001-01-01T00:00:00Z"), BY))
                .isInstanceOf(RestoreOutcome.NoSuchVersion.class);
        assertThat(states().verify(SHOP).isGood()).isTrue();
        assertThat(states().verify(SHOP).checked()).isGreaterThanOrEqualTo(4);
    }

    @Test
    @DisplayName("it is deleted by its holder, or when nobody holds it")
    void deletes() throws Exception {
        assertThat(states().delete(SHOP, BY)).isEqualTo(new DeleteOutcome.Deleted(false));
        try (Lease lease = claimed()) {
            saved(lease, state(1, "a"));
            assertThat(states().delete(SHOP, BY)).isInstanceOf(StateRefusal.class);
            assertThat(states().delete(SHOP, lease.leaseId(), BY)).isEqualTo(new DeleteOutcome.Deleted(true));
            assertThat(states().load(SHOP)).isEmpty();
            assertThat(states().history(SHOP, 10).versions()).hasSize(1);
        }
    }

    @Test
    @DisplayName("stacks are listed with who holds them")
    void lists() throws Exception {
        Stack other = new Stack("shop", "test");
        states().saveUnlocked(other, state(1, "a"), BY);
        try (Lease lease = claimed()) {
            saved(lease, state(1, "a"));
            StackPage page = states().list(10, Optional.empty());
            assertThat(page.stacks()).extracting(StackPage.Item::stack).containsExactly(SHOP, other);
            assertThat(page.stacks().get(0).holders().get(0).token()).isEqualTo(lease.token());
            assertThat(page.stacks().get(1).isLocked()).isFalse();
        }
    }

    @Test
    @DisplayName("a deployment takes its lock, loads, saves and releases")
    void deploys() throws Exception {
        DeployMetadata alice = DeployMetadata.fromEnvironment().withLockedBy("alice");
        states().deployRun(WHOLE, alice, run -> state(1, "deployed"));
        assertThat(states().load(SHOP).orElseThrow().content()).isEqualTo(state(1, "deployed"));

        DeployLocks locks = states().locks();
        try (DeployLock lock = (DeployLock) locks.acquire(WHOLE.at("users"), alice)) {
            assertThat(locks.acquire(WHOLE, alice)).isInstanceOf(LockHeld.class);
            assertThat(locks.heartbeat(lock)).isTrue();
            assertThat(locks.listLocks(10, Optional.empty()).locks())
                    .extracting(LockInfo::key)
                    .containsExactly(WHOLE.at("users"));
            assertThat(locks.forceUnlock(WHOLE.at("users"), lock.lease().token(), "test"))
                    .isInstanceOf(UnlockOutcome.Unlocked.class);
            assertThat(locks.isLocked(WHOLE)).isFalse();
        }
    }
}
