package dev.holdfast.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.model.LostReason;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.DeployOutcome;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.deploy.LockInfo;
import dev.holdfast.state.deployer.DeployerState;
import dev.holdfast.state.deployer.DeploymentEntry;
import dev.holdfast.state.deployer.Resource;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateVersion;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("a deployment")
final class DeployRunTest {
    private static final Stack SHOP = new Stack("shop", "production");
    private static final DeployKey WHOLE = DeployKey.of(SHOP);
    private static final DeployMetadata ALICE =
            DeployMetadata.fromEnvironment(Map.of(), Path.of("/")).withLockedBy("alice");

    private final World world = new World();
    private final StateManager state = world.state();

    @AfterEach
    void close() {
        world.close();
    }

    private void forceAway() {
        LockInfo info = (LockInfo) state.locks().getLock(WHOLE);
        state.locks().forceUnlock(WHOLE, info.token(), "test");
    }

    @Test
    @DisplayName("takes the lock, sees the state before it, saves checkpoints and the end, and releases")
    void completes() throws Exception {
        DeployOutcome outcome = state.deployRun(WHOLE, ALICE, run -> {
            assertThat(run.before()).isEmpty();
            assertThat(state.locks().isLocked(WHOLE)).isTrue();
            run.checkpoint(StateContract.doc(1, "half"));
            run.ensureValid();
            return StateContract.doc(2, "whole");
        });
        assertThat(outcome).isInstanceOfSatisfying(DeployOutcome.Completed.class, it -> {
            assertThat(it.version().serial()).isEqualTo(2);
            assertThat(it.version().by()).isEqualTo("alice");
        });
        assertThat(state.locks().isLocked(WHOLE)).isFalse();
        assertThat(state.history(SHOP, 10).versions()).hasSize(2);
        state.deployRun(WHOLE, ALICE, run -> {
            assertThat(run.before().orElseThrow().content()).isEqualTo(StateContract.doc(2, "whole"));
            return StateContract.doc(3, "next");
        });
    }

    @Test
    @DisplayName("keeps lock, last change and history of a deployer's document, and leaves the rest to the work")
    void notes() throws Exception {
        DeployMetadata run = DeployMetadata.fromEnvironment(
                        Map.of("GITHUB_ACTIONS", "true", "GITHUB_RUN_ID", "7", "GITHUB_SHA", "c0ffee"), Path.of("/"))
                .withDeploymentId("dep-1");
        Resource resource = new Resource(Json.object().with("kind", Json.of("Database")));
        DeployerState first =
                DeployerState.empty(SHOP).withResource("a", resource).withResource("b", resource);
        state.deployRun(WHOLE, run, it -> {
            StateVersion half = it.checkpoint(first.toBytes());
            assertThat(it.checkpoint(first.toBytes()))
                    .as("a repeat is recognised")
                    .isEqualTo(half);
            DeployerState now = current();
            assertThat(now.lock().locked()).isTrue();
            assertThat(now.lock().lockedBy()).contains("github-actions-run-7");
            assertThat(now.lock().lockId()).contains("token-" + it.lease().token());
            assertThat(now.deploymentHistory()).isEmpty();
            world.pass(Duration.ofSeconds(90));
            return first.toBytes();
        });
        DeployerState done = current();
        assertThat(done.lock().locked()).isFalse();
        assertThat(done.metadata().lastUpdatedBy()).contains("github-actions-run-7");
        assertThat(done.metadata().lastUpdated()).contains(Instant.parse("2026-11-16T11:06:42Z"));
        assertThat(done.metadata().gitCommit()).contains("c0ffee");
        assertThat(done.deploymentHistory()).hasSize(1);
        DeploymentEntry entry = done.deploymentHistory().get(0);
        assertThat(entry.deploymentId()).contains("dep-1");
        assertThat(entry.status()).contains("success");
        assertThat(entry.durationSeconds()).contains(90L);
        assertThat(entry.resourcesChanged().get("created")).contains(Json.of(2));

        state.deployRun(
                WHOLE,
                run.withDeploymentId("dep-2"),
                it -> current()
                        .withoutResource("a")
                        .withResource("b", resource.withStatus("ready"))
                        .withResource("c", resource)
                        .toBytes());
        assertThat(current().deploymentHistory()).hasSize(2);
        assertThat(current().deploymentHistory().get(0).resourcesChanged().members())
                .containsEntry("created", Json.of(1))
                .containsEntry("updated", Json.of(1))
                .containsEntry("deleted", Json.of(1));
    }

    private DeployerState current() {
        return DeployerState.parse(state.load(SHOP).orElseThrow().content());
    }

    @Test
    @DisplayName("is not begun while another holds the lock")
    void held() throws Exception {
        state.locks().acquire(WHOLE, ALICE.withLockedBy("bob")).orThrow();
        AtomicBoolean ran = new AtomicBoolean();
        DeployOutcome outcome = state.deployRun(WHOLE, ALICE, run -> {
            ran.set(true);
            return StateContract.doc(1, "x");
        });
        assertThat(outcome).isInstanceOf(LockHeld.class);
        assertThat(ran).isFalse();
    }

    @Test
    @DisplayName("that fails throws what its work threw; its checkpoints stay, and the lock is free")
    void fails() {
        assertThatThrownBy(() -> state.deployRun(WHOLE, ALICE, run -> {
                    run.checkpoint(StateContract.doc(1, "half"));
                    throw new IOException("provider");
                }))
                .isInstanceOf(IOException.class);
        assertThat(state.load(SHOP).orElseThrow().content()).isEqualTo(StateContract.doc(1, "half"));
        assertThat(state.locks().isLocked(WHOLE)).isFalse();
    }

    @Test
    @DisplayName("that loses its lock is interrupted, and nothing more of it is saved")
    void interrupted() throws Exception {
        DeployOutcome outcome = state.deployRun(WHOLE, ALICE, run -> {
            run.checkpoint(StateContract.doc(1, "half"));
            forceAway();
            world.pass(Duration.ofSeconds(31)); // the next heartbeat tells
            Thread.sleep(Duration.ofMinutes(5).toMillis());
            return StateContract.doc(2, "zombie");
        });
        assertThat(outcome).isInstanceOfSatisfying(DeployOutcome.Stopped.class, it -> {
            assertThat(it.lost()).contains(LostReason.FORCED);
            assertThat(it.lastSaved().orElseThrow().serial()).isEqualTo(1);
        });
        assertThat(Thread.interrupted()).as("not left for the caller").isFalse();
        assertThat(state.load(SHOP).orElseThrow().content()).isEqualTo(StateContract.doc(1, "half"));
    }

    @Test
    @DisplayName("that does not notice the interrupt leaves none behind")
    void unnoticed() throws Exception {
        DeployOutcome outcome = state.deployRun(WHOLE, ALICE, run -> {
            forceAway();
            world.pass(Duration.ofSeconds(31));
            return StateContract.doc(1, "zombie");
        });
        assertThat(outcome).isInstanceOf(DeployOutcome.Stopped.class);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(state.load(SHOP)).isEmpty();
    }

    @Test
    @DisplayName("that lost its lock and does not look is refused at its next checkpoint, and at its end")
    void blind() throws Exception {
        DeployOutcome outcome = state.deployRun(WHOLE, ALICE, run -> {
            forceAway();
            state.locks().acquire(WHOLE, ALICE.withLockedBy("bob")).orThrow();
            run.checkpoint(StateContract.doc(1, "zombie"));
            throw new AssertionError("the checkpoint must throw");
        });
        assertThat(outcome).isInstanceOf(DeployOutcome.Stopped.class);
        assertThat(state.load(SHOP)).isEmpty();
        forceAway();
        outcome = state.deployRun(WHOLE, ALICE, run -> {
            forceAway();
            return StateContract.doc(1, "zombie");
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeployOutcome.Stopped.class,
                        it -> assertThat(it.message()).contains("shop"));
        assertThat(state.load(SHOP)).isEmpty();
    }

    @Test
    @DisplayName("interrupted by somebody else ends with that interrupt, and releases")
    void cancelled() {
        assertThatThrownBy(() -> state.deployRun(WHOLE, ALICE, run -> {
                    Thread.currentThread().interrupt();
                    Thread.sleep(10_000);
                    return StateContract.doc(1, "x");
                }))
                .isInstanceOf(InterruptedException.class);
        assertThat(state.locks().isLocked(WHOLE)).isFalse();
    }

    @Test
    @DisplayName("of a part saves over what it loaded, and is stopped when another part saved meanwhile")
    void parts() throws Exception {
        DeployOutcome outcome = state.deployRun(WHOLE.at("api"), ALICE, run -> {
            run.checkpoint(StateContract.doc(1, "api"));
            return StateContract.doc(2, "api done");
        });
        assertThat(outcome).isInstanceOf(DeployOutcome.Completed.class);
        outcome = state.deployRun(WHOLE.at("api"), ALICE, run -> {
            state.deployRun(WHOLE.at("web"), ALICE, other -> StateContract.doc(3, "web"));
            return StateContract.doc(3, "api");
        });
        assertThat(outcome)
                .isInstanceOfSatisfying(
                        DeployOutcome.Stopped.class,
                        it -> assertThat(it.message()).contains("Load again"));
        assertThat(List.of(state.load(SHOP).orElseThrow().text())).allMatch(it -> it.contains("web"));
    }
}
