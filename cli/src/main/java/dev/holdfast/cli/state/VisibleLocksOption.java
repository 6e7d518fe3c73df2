package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import picocli.CommandLine.Option;

final class VisibleLocksOption {
    @Option(
            names = "--visible-locks",
            description =
                    "Without a server: keep files beside the state that show who holds it, as state.visible-locks does for"
                            + " a server.")
    private boolean on;

    /** Whether they do, from now on also for the state that is opened there. */
    boolean on(StateTarget target) {
        target.showLocks(on);
        return on;
    }
}
