package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Lease;
import dev.holdfast.LeaseLostException;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LostReason;
import dev.holdfast.model.Token;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.deploy.DeployAttempt;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployLock;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.deploy.LockHeldException;
import dev.holdfast.state.deploy.LockInfo;
import dev.holdfast.state.deploy.LockNotFound;
import dev.holdfast.state.deploy.UnlockOutcome;
import dev.holdfast.state.store.StateNames;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateRefusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("deploy locks")
final class DeployLocksTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final DeployKey WHOLE = DeployKey.of(SHOP);
    private static final DeployMetadata RUN = DeployMetadata.fromEnvironment(
            Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "12345", "GITHUB_ACTOR", "alice"), Path.of("/"));
    private static final DeployMetadata OTHER = RUN.withLockedBy("bob");

    private final World world = new World();
    private final StateManager state = world.state();
    private final DeployLocks locks = state.locks();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    @DisplayName("are held for an hour without a heartbeat, and have one every 30 seconds")
    void lifecycle() throws InterruptedException {
        assertThat(locks.isLocked(WHOLE)).isFalse();
        assertThat(locks.getLock(WHOLE)).isEqualTo(new LockNotFound(WHOLE));
        DeployLock lock = locks.acquire(WHOLE, RUN).orThrow();
        LockInfo info = (LockInfo) locks.getLock(WHOLE);
        assertThat(info.lockedBy()).isEqualTo("github-actions-run-12345");
        assertThat(info.metadata()).containsEntry("ci_system", "github-actions").containsEntry("user", "alice");
        assertThat(Duration.between(info.lockedAt(), info.expiresAt().orElseThrow()))
                .isBetween(Duration.ofHours(1), Duration.ofHours(1).plusSeconds(1));
        world.pass(Duration.ofSeconds(31));
        assertThat(((LockInfo) locks.getLock(WHOLE)).lastHeartbeat()).isAfter(info.lastHeartbeat());
        assertThat(lock.lease().isValid()).isTrue();
    }

    @Test
    @DisplayName("of a process that died look stale after two minutes, and stay held until somebody ends them")
    void stale() throws InterruptedException {
        locks.acquire(WHOLE, RUN).orThrow(); // time passes below without its heartbeats
        world.clock.advance(Duration.ofMinutes(1));
        assertThat(((LockInfo) locks.getLock(WHOLE)).stale()).isFalse();
        world.clock.advance(Duration.ofMinutes(2));
        LockInfo info = (LockInfo) locks.getLock(WHOLE);
        assertThat(info.stale()).isTrue();
        assertThat(locks.acquire(WHOLE, OTHER))
                .isInstanceOfSatisfying(
                        LockHeld.class, held -> assertThat(held.message()).contains("stale"));
        assertThat(locks.forceUnlock(WHOLE, info.token(), "dead")).isInstanceOf(UnlockOutcome.Unlocked.class);
        assertThat(locks.acquire(WHOLE, OTHER)).isInstanceOf(DeployLock.class);
    }

    @Test
    @DisplayName("held by another are a value that names it, or an exception for those who prefer one")
    void held() throws InterruptedException {
        DeployLock lock = locks.acquire(WHOLE, RUN).orThrow();
        DeployAttempt second = locks.acquire(WHOLE, OTHER);
        assertThat(second).isInstanceOfSatisfying(LockHeld.class, it -> {
            assertThat(it.holders()).extracting(LockInfo::lockedBy).containsExactly("github-actions-run-12345");
            assertThat(it.message()).contains("github-actions-run-12345").contains("stack:shop:env:production");
        });
        assertThatThrownBy(second::orThrow).isInstanceOf(LockHeldException.class);
        assertThat(locks.release(lock)).isTrue();
        assertThat(locks.release(lock)).as("again").isFalse();
        assertThat(locks.acquire(WHOLE, OTHER)).isInstanceOf(DeployLock.class);
    }

    @Test
    @DisplayName("of stack, service and component exclude each other; siblings do not")
    void levels() throws InterruptedException {
        DeployKey service = DeployKey.parse("stack:shop:env:production:service:user-service");
        DeployKey component = DeployKey.parse("stack:shop:env:production:component:user-service/api");
        DeployKey sibling = DeployKey.parse("stack:shop:env:production:component:user-service/cache");
        DeployKey elsewhere = WHOLE.at("billing");
        try (DeployLock held = locks.acquire(component, RUN).orThrow()) {
            assertThat(locks.acquire(WHOLE, OTHER)).isInstanceOf(LockHeld.class);
            assertThat(locks.acquire(service, OTHER)).isInstanceOf(LockHeld.class);
            assertThat(locks.acquire(component, OTHER)).isInstanceOf(LockHeld.class);
            assertThat(locks.isLocked(WHOLE)).isTrue();
            assertThat(locks.isLocked(service)).isTrue();
            assertThat(locks.isLocked(sibling)).isFalse();
            assertThat(locks.acquire(sibling, OTHER)).isInstanceOf(DeployLock.class);
            assertThat(locks.acquire(elsewhere, OTHER)).isInstanceOf(DeployLock.class);
            assertThat(locks.listLocks(10, Optional.empty()).locks())
                    .extracting(it -> it.key().toString())
                    .containsExactlyInAnyOrder(
                            component.toString(), sibling.toString(), "stack:shop:env:production:service:billing");
            assertThat(held.key().level()).isEqualTo(DeployKey.Level.COMPONENT);
        }
    }

    @Test
    @DisplayName("have keys that no two names share")
    void keys() {
        assertThat(DeployKey.parse("stack:a:env:b")).isEqualTo(DeployKey.of(new Stack("a", "b")));
        assertThat(DeployKey.parse("stack:a:env:b").lock().toString()).isEqualTo("deploy:stack:a:env:b");
        for (String key : List.of(
                "stack:a:env:b:service:s", "stack:a:env:b:component:s/c", "stack:a.b:env:c-d_e:component:s/c/d")) {
            assertThat(DeployKey.parse(key)).hasToString(key);
        }
        for (String bad : List.of(
                "",
                "a",
                "stack:a",
                "stack::env:b",
                "stack:a:env:",
                "stack:a:env:b:service:",
                "stack:a:env:b:service:s/c",
                "stack:a:env:b:component:c",
                "stack:a:env:b:component:s//c",
                "stack:a:env:b:component:s/.",
                "stack:a:env:b:x",
                "stack:a/b:env:c",
                "stack:.a:env:c",
                "stack:a:env:b:env:c",
                "stack:" + "a".repeat(65) + ":env:b")) {
            assertThatThrownBy(() -> DeployKey.parse(bad)).as(bad).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    @DisplayName("ended by force are told to their holder, who can neither renew nor save")
    void forced() throws InterruptedException {
        DeployLock lock = locks.acquire(WHOLE, RUN).orThrow();
        assertThat(locks.heartbeat(lock)).isTrue();
        Token token = lock.lease().token();
        assertThat(locks.forceUnlock(WHOLE, new Token(token.value() - 1), "wrong"))
                .isInstanceOf(LockHeld.class);
        assertThat(locks.forceUnlock(WHOLE, token, "stuck"))
                .isInstanceOfSatisfying(
                        UnlockOutcome.Unlocked.class,
                        it -> assertThat(it.was().lockedBy()).isEqualTo("github-actions-run-12345"));
        assertThat(locks.forceUnlock(WHOLE, token, "stuck")).isEqualTo(new LockNotFound(WHOLE));
        assertThat(lock.heartbeat()).contains(LostReason.FORCED);
        assertThat(state.save(lock.lease(), StateContract.doc(1, "zombie"), StateContract.ALICE))
                .isInstanceOf(StateRefusal.class);
        assertThat(lock.release()).isFalse();
    }

    @Test
    @DisplayName("are tried again after 5 s, 10 s, 30 s and 1 min")
    void retries() throws InterruptedException {
        List<Duration> pauses = new ArrayList<>();
        DeployLock held = locks.acquire(WHOLE, RUN).orThrow();
        assertThat(((LocalStateManager) state).locks(pauses::add).acquireWithRetry(WHOLE, OTHER))
                .isInstanceOf(LockHeld.class);
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMinutes(1));
        pauses.clear();
        DeployAttempt got = ((LocalStateManager) state)
                .locks(pause -> {
                    pauses.add(pause);
                    if (pauses.size() == 2) {
                        held.release();
                    }
                })
                .acquireWithRetry(WHOLE, OTHER);
        assertThat(got).isInstanceOf(DeployLock.class);
        assertThat(pauses).hasSize(2);
    }

    @Test
    @DisplayName("are given up when the thread is interrupted between attempts, and released though it is interrupted")
    void interrupted() throws InterruptedException {
        DeployLock held = locks.acquire(WHOLE, RUN).orThrow();
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> locks.acquireWithRetry(WHOLE, OTHER)).isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> DeployLocks.Pause.SLEEP.forThis(Duration.ofHours(1)))
                .isInstanceOf(InterruptedException.class);
        Thread.currentThread().interrupt();
        assertThat(held.release()).isTrue();
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
        assertThat(locks.isLocked(WHOLE)).isFalse();
    }

    @Test
    @DisplayName("that cannot claim are given back: documents that fail are an exception, never a lock that is held")
    void claimFails() {
        FaultyDocuments faulty = new FaultyDocuments(world.documents);
        StateManager failing = StateManager.on(world.locks, faulty, world.config());
        faulty.next(FaultyDocuments.Fault.DOWN);
        assertThatThrownBy(() -> failing.locks().acquire(WHOLE, RUN)).isInstanceOf(StoreUnavailableException.class);
        assertThat(locks.isLocked(WHOLE)).isFalse();
    }

    @Test
    @DisplayName("that lose the claim to a later holder are reported as held by that one")
    void overtaken() throws InterruptedException {
        FaultyDocuments faulty = new FaultyDocuments(world.documents);
        StateManager slow = StateManager.on(world.locks, faulty, world.config());
        faulty.beforeWrite(() -> {
            LockInfo first = (LockInfo) locks.getLock(WHOLE);
            locks.forceUnlock(WHOLE, first.token(), "slow");
            try {
                locks.acquire(WHOLE, OTHER).orThrow();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        assertThat(slow.locks().acquire(WHOLE, RUN))
                .isInstanceOfSatisfying(
                        LockHeld.class,
                        it -> assertThat(it.holders())
                                .extracting(LockInfo::lockedBy)
                                .containsExactly("bob"));
    }

    @Test
    @DisplayName("are refused with the reason when the documents carry a later token than the locks give out")
    void tokensFromElsewhere() {
        world.documents.write(Change.put(
                StateNames.current(SHOP), Condition.absent(), new byte[0], Map.of("token", "999999999999999999")));
        assertThatThrownBy(() -> locks.acquire(WHOLE, RUN))
                .isInstanceOf(StoreUnusableException.class)
                .hasMessageContaining("later token");
        assertThat(locks.isLocked(WHOLE)).isFalse();
    }

    @Test
    @DisplayName("show themselves in two files if switched on, and never touch Pulumi's")
    void visible() throws InterruptedException {
        StateManager shown =
                StateManager.on(world.locks, world.documents, world.config().withVisibleLocks(true));
        DeployLock lock = shown.locks().acquire(WHOLE, RUN).orThrow();
        for (String name : List.of("stacks/shop/production/state.json.lock", "locks/shop-production.lock")) {
            assertThat(new String(world.documents.get(name).orElseThrow().content(), StandardCharsets.UTF_8))
                    .contains("\"locked_by\":\"github-actions-run-12345\"")
                    .contains("\"environment\":\"production\"");
        }
        lock.release();
        assertThat(world.documents.look("stacks/shop/production/state.json.lock"))
                .isEmpty();
        assertThat(world.documents.look("locks/shop-production.lock")).isEmpty();
        locks.acquire(WHOLE, RUN).orThrow().release();
        assertThat(world.documents.look("locks/shop-production.lock"))
                .as("not switched on")
                .isEmpty();
    }

    @Test
    @DisplayName("show themselves however they were taken, and are gone from the files however they ended")
    void visibleToTheEnd() throws InterruptedException {
        StateManager shown =
                StateManager.on(world.locks, world.documents, world.config().withVisibleLocks(true));
        Lease plain = world.locks.acquire(WHOLE.lock(), o -> o.owner("alice").lease(Duration.ofMinutes(1)));
        shown.claim(plain);
        assertThat(lockFile()).contains("alice");
        LockInfo info = (LockInfo) shown.locks().getLock(WHOLE);
        shown.locks().forceUnlock(WHOLE, info.token(), "stuck");
        assertThat(lockFile()).as("ended by force").isEqualTo("none");

        shown.locks().acquire(WHOLE.at("users"), RUN).orThrow();
        DeployLock orders = shown.locks().acquire(WHOLE.at("orders"), RUN).orThrow();
        assertThat(lockFile()).contains(":service:users", ":service:orders");
        orders.release();
        assertThat(lockFile()).contains(":service:users").doesNotContain("orders");
        world.locks
                .inspect()
                .forceUnlock(WHOLE.lock(), ((LockInfo) shown.locks().getLock(WHOLE)).token(), "elsewhere");
        assertThat(lockFile()).as("by one who shows nothing").contains("users");
        shown.showLocks();
        assertThat(lockFile()).isEqualTo("none");

        Lease killed = world.locks.acquire(WHOLE.lock(), o -> o.withoutRenewal().lease(Duration.ofMinutes(1)));
        shown.claim(killed);
        shown.showLocks();
        assertThat(lockFile()).isNotEqualTo("none");
        world.pass(Duration.ofMinutes(2));
        shown.showLocks();
        assertThat(lockFile()).as("expired").isEqualTo("none");
    }

    private String lockFile() {
        String beside = content("stacks/shop/production/state.json.lock");
        assertThat(content("locks/shop-production.lock")).isEqualTo(beside);
        return beside;
    }

    private String content(String name) {
        return world.documents
                .get(name)
                .map(it -> new String(it.content(), StandardCharsets.UTF_8))
                .orElse("none");
    }

    @Test
    @DisplayName("that a heartbeat found lost are lost for ensureValid too, at once and for ever")
    void heartbeatAgrees() throws InterruptedException {
        DeployLock lock = locks.acquire(WHOLE, RUN).orThrow();
        assertThat(lock.heartbeat()).isEmpty();
        lock.ensureValid();
        // The lease is told nothing of it: as on a store that tells nobody.
        DeployLock deaf = new DeployLock(WHOLE, new DeafLease(lock.lease()), world.locks, () -> {});
        locks.forceUnlock(WHOLE, lock.lease().token(), "test");
        assertThat(deaf.lease().isValid()).isTrue();
        assertThat(locks.heartbeat(deaf)).isFalse();
        assertThat(deaf.lostFor()).contains(LostReason.FORCED);
        assertThatThrownBy(deaf::ensureValid)
                .isInstanceOfSatisfying(
                        LeaseLostException.class, it -> assertThat(it.reason()).isEqualTo(LostReason.FORCED));
        assertThat(deaf.heartbeat()).contains(LostReason.FORCED);
    }

    /** Believes in itself, whatever happens. */
    private record DeafLease(Lease lease) implements Lease {
        @Override
        public LockKey key() {
            return lease.key();
        }

        @Override
        public LeaseId leaseId() {
            return lease.leaseId();
        }

        @Override
        public Token token() {
            return lease.token();
        }

        @Override
        public Optional<Instant> expiresAt() {
            return lease.expiresAt();
        }

        @Override
        public boolean isValid() {
            return true;
        }

        @Override
        public void ensureValid() {}

        @Override
        public Duration remaining() {
            return Duration.ofHours(1);
        }

        @Override
        public Optional<LostReason> lostFor() {
            return Optional.empty();
        }

        @Override
        public void onLost(Consumer<LostReason> listener) {}

        @Override
        public boolean release() {
            return lease.release();
        }

        @Override
        public void releaseAfter(Transaction transaction) {
            lease.releaseAfter(transaction);
        }

        @Override
        public void close() {
            lease.close();
        }

        @Override
        public boolean extend(Duration length) {
            return lease.extend(length);
        }

        @Override
        public boolean extend(Duration length, Duration minHold) {
            return lease.extend(length, minHold);
        }

        @Override
        public CompletableFuture<Boolean> releaseAsync() {
            return lease.releaseAsync();
        }
    }
}
