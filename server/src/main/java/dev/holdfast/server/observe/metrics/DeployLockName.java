package dev.holdfast.server.observe.metrics;

import dev.holdfast.model.RecordKey;
import java.util.Optional;

/** A lock of a deployment, as its documents spell it: namespace {@code deploy}, name {@code stack:{stack}:env:{environment}}. */
public record DeployLockName(String stack, String environment) {
    static final String NAMESPACE = "deploy";

    private static final String STACK = "stack:";
    private static final String ENV = ":env:";

    enum Level {
        STACK,
        SERVICE,
        COMPONENT;

        public static Level of(String path) {
            if (path.isEmpty()) {
                return STACK;
            }
            return path.indexOf('/') < 0 ? SERVICE : COMPONENT;
        }
    }

    public static boolean isDeploy(RecordKey key) {
        return NAMESPACE.equals(key.namespace());
    }

    /** The stack and environment of this record; empty if it is not the lock of one. */
    public static Optional<DeployLockName> of(RecordKey key) {
        String name = key.name();
        if (!isDeploy(key) || !name.startsWith(STACK)) {
            return Optional.empty();
        }
        int env = name.indexOf(ENV, STACK.length() + 1);
        return env < 0 || env + ENV.length() == name.length()
                ? Optional.empty()
                : Optional.of(
                        new DeployLockName(name.substring(STACK.length(), env), name.substring(env + ENV.length())));
    }
}
