package dev.holdfast.cli;

import dev.holdfast.model.LeaseId;
import dev.holdfast.state.Stack;
import java.util.Map;
import java.util.Optional;

/** The {@code state run} around this process, as its environment tells of it. */
final class OuterRun {
    private OuterRun() {}

    /** Its lease, if it holds all of this stack; that of another stack, or of a part, is none to save under. */
    static Optional<LeaseId> lease(Stack stack) {
        return lease(stack, System.getenv());
    }

    static Optional<LeaseId> lease(Stack stack, Map<String, String> environment) {
        boolean same = Stack.NAMESPACE.equals(environment.get("HOLDFAST_NAMESPACE"))
                && stack.lock().name().equals(environment.get("HOLDFAST_KEY"))
                && !environment.containsKey("HOLDFAST_PATH");
        return Optional.ofNullable(environment.get(ChildProcess.LEASE_ID))
                .filter(id -> same && !id.isBlank())
                .map(LeaseId::new);
    }
}
