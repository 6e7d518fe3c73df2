package dev.holdfast.state.deploy;

import dev.holdfast.model.LostReason;
import dev.holdfast.state.versions.StateVersion;
import java.util.Optional;

/** What became of a deployment. {@link LockHeld}: it was not begun. */
public sealed interface DeployOutcome permits DeployOutcome.Completed, DeployOutcome.Stopped, LockHeld {
    /** The work is done and its state saved, as this version. */
    record Completed(StateVersion version) implements DeployOutcome {}

    /**
     * The lock was lost while it ran; the work was told to stop, and nothing it did afterwards was saved.
     *
     * @param message what happened
     * @param lost how the lease ended, as far as known
     * @param lastSaved the last checkpoint that was saved
     */
    record Stopped(String message, Optional<LostReason> lost, Optional<StateVersion> lastSaved)
            implements DeployOutcome {}
}
