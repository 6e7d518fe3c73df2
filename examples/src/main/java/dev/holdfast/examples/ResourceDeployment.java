package dev.holdfast.examples;

import dev.holdfast.state.StateManager;
import dev.holdfast.state.deploy.DeployKey;
import dev.holdfast.state.deploy.DeployMetadata;
import dev.holdfast.state.deploy.DeployOutcome;
import dev.holdfast.state.deploy.LockHeld;
import dev.holdfast.state.deploy.LockInfo;
import dev.holdfast.state.deployer.DeployerState;
import dev.holdfast.state.deployer.Resource;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A deployment: takes the lock of its stack, loads the state, makes what is missing, saves after each step and at the end, releases.
 *
 * <pre>
 *   ResourceDeployment STACK ENVIRONMENT RESOURCE...          makes these resources, each in STEP
 *   ResourceDeployment STACK ENVIRONMENT RESOURCE... forced   plays an operator too, who ends its lock after the first resource
 * </pre>
 *
 * <p>Kill it in the middle, and the next run begins where it stopped. Pause it until its lock was ended and another has deployed,
 * and it is refused when it goes on. Locks and state are in {@code DATABASE_URL}; the state is in {@code DOCUMENTS_URL} if that is set.
 */
public final class ResourceDeployment {
    private final StateManager state;
    private final DeployKey key;
    private final Duration step = Env.duration("STEP", Duration.ofSeconds(1));
    private final boolean forced;

    private ResourceDeployment(StateManager state, DeployKey key, boolean forced) {
        this.state = state;
        this.key = key;
        this.forced = forced;
    }

    /** Deploys once. Exit code 0: done; 75: another deploys; 76: the lock was lost. */
    public static void main(String[] args) throws Exception {
        List<String> wanted = new ArrayList<>(List.of(args).subList(2, args.length));
        boolean forced = wanted.remove("forced");
        String locks = Database.fromEnvironment().url();
        try (StateManager state = StateManager.open(locks, Env.text("DOCUMENTS_URL", locks), StateConfig.DEFAULT)) {
            DeployKey key = DeployKey.of(new Stack(args[0], args[1]));
            System.exit(new ResourceDeployment(state, key, forced).deploy(wanted));
        }
    }

    private int deploy(List<String> wanted) throws Exception {
        DeployMetadata us = DeployMetadata.fromEnvironment()
                .withDeploymentId("dep-" + ProcessHandle.current().pid());
        DeployOutcome outcome = state.deployRun(key, us, run -> {
            DeployerState now = run.before()
                    .map(it -> DeployerState.parse(it.content()))
                    .orElseGet(() -> DeployerState.empty(key.stack()));
            System.out.println(us.lockedBy() + " deploys");
            for (String name : wanted) {
                if (now.resources().containsKey(name)) {
                    System.out.println(name + " is there");
                    continue;
                }
                run.ensureValid(); // before each effect: here one would talk to a cloud
                Thread.sleep(step.toMillis()); // is interrupted when the lock is lost
                now = now.withResource(name, Resource.of("Example", "v1", "ready"));
                run.checkpoint(now.toBytes()); // a killed run is not forgotten
                System.out.println(name + " is made");
                if (forced) {
                    endByForce();
                }
            }
            return now.toBytes();
        });
        if (outcome instanceof LockHeld held) {
            System.out.println(held.message());
            return 75;
        }
        if (outcome instanceof DeployOutcome.Stopped stopped) {
            System.out.println("stopped: " + stopped.message());
            return 76;
        }
        System.out.println(
                "saved as " + ((DeployOutcome.Completed) outcome).version().version());
        return 0;
    }

    private void endByForce() {
        if (state.locks().getLock(key) instanceof LockInfo seen) {
            state.locks().forceUnlock(key, seen.token(), "an operator thinks it is dead");
        }
    }
}
