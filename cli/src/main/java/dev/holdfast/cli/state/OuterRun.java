package dev.holdfast.cli.state;

import dev.holdfast.cli.exec.ChildProcess;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.versions.Stack;
import java.util.Map;
import java.util.Optional;

/** The {@code state run} around this process, as its environment tells of it. */
final class OuterRun {
    private OuterRun() {}

    /** Its lease, if it holds this stack or a part of it; that of another stack is none to save under. */
    static Optional<LeaseId> lease(Stack stack) {
        Map<String, String> environment = System.getenv();
        boolean same = Stack.NAMESPACE.equals(environment.get("HOLDFAST_NAMESPACE"))
                && stack.lock().name().equals(environment.get("HOLDFAST_KEY"));
        return Optional.ofNullable(environment.get(ChildProcess.LEASE_ID))
                .filter(id -> same && !id.isBlank())
                .map(LeaseId::new);
    }

    /** The same, if it holds only a part of this stack. */
    static Optional<LeaseId> partLease(Stack stack) {
        return lease(stack).filter(it -> System.getenv("HOLDFAST_PATH") != null);
    }
}
