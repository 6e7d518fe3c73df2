package dev.holdfast.state.deploy;

import dev.holdfast.state.versions.StateRefusal;

/** A checkpoint was refused: the deployment has lost its lock. Let it through, so that the work ends. */
public final class DeployStoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient StateRefusal refused;

    public DeployStoppedException(StateRefusal refused) {
        super(refused.message());
        this.refused = refused;
    }

    public StateRefusal refused() {
        return refused;
    }
}
