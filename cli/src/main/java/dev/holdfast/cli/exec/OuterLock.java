package dev.holdfast.cli.exec;

import dev.holdfast.cli.connect.Target;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import java.util.Optional;

/** The lock under which this process was started by another {@code exec}, as its environment says. */
final class OuterLock {
    private OuterLock() {}

    /** Whether whoever holds it here keeps this one waiting. */
    static boolean isThis(LockKey key) {
        Optional<String> lease = Target.set(ChildProcess.LEASE_ID);
        return lease.isPresent()
                && Target.set("HOLDFAST_NAMESPACE").equals(Optional.of(key.namespace()))
                && Target.set("HOLDFAST_KEY").equals(Optional.of(key.name()))
                && LockPath.of(Target.set("HOLDFAST_PATH").orElse("")).overlaps(key.path());
    }
}
