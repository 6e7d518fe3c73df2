package dev.holdfast.cli.state;

import dev.holdfast.cli.exec.ChildProcess;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.versions.Stack;
import java.util.Map;
import java.util.Optional;

/** The {@code state run} around this process, as its environment tells of it. */
final class OuterRun {
    private OuterRun() {}

    /** Its lease, if it holds only a part of this stack. */
    static Optional<LeaseId> partLease(Stack stack) {
        return partLease(stack, System.getenv());
    }

    static Optional<LeaseId> partLease(Stack stack, Map<String, String> environment) {
        return leaseOf(stack, environment).filter(it -> environment.containsKey("HOLDFAST_PATH"));
    }

    /** Its lease, if it holds all of this stack; that of another stack, or of a part, is none to save under. */
    static Optional<LeaseId> lease(Stack stack) {
        return lease(stack, System.getenv());
    }

    static Optional<LeaseId> lease(Stack stack, Map<String, String> environment) {
        return leaseOf(stack, environment).filter(it -> !environment.containsKey("HOLDFAST_PATH"));
    }

    private static Optional<LeaseId> leaseOf(Stack stack, Map<String, String> environment) {
        boolean same = Stack.NAMESPACE.equals(environment.get("HOLDFAST_NAMESPACE"))
                && stack.lock().name().equals(environment.get("HOLDFAST_KEY"));
        return Optional.ofNullable(environment.get(ChildProcess.LEASE_ID))
                .filter(id -> same && !id.isBlank())
                .map(LeaseId::new);
    }
}
