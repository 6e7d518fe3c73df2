package dev.holdfast.state.deploy;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.state.versions.Stack;
import java.util.Arrays;

/**
 * What a deployment locks: a stack, a service in it, or a component of that. The three exclude each other: a component is inside its
 * service, and that inside the stack.
 *
 * <pre>
 *   stack:{stack}:env:{environment}
 *   stack:{stack}:env:{environment}:service:{service}
 *   stack:{stack}:env:{environment}:component:{service}/{component}
 * </pre>
 *
 * @param stack the stack; one lock record for all in it
 * @param path empty for the stack, one segment for a service, more for a component
 */
public record DeployKey(Stack stack, LockPath path) {
    private static final String SERVICE = ":service:";
    private static final String COMPONENT = ":component:";

    public DeployKey {
        if (!path.isWhole()) {
            Arrays.stream(path.value().split("/", -1))
                    .forEach(segment -> Stack.segment("service or component", segment));
        }
    }

    /** Which part of a stack a key names. */
    public enum Level {
        /** All of it. */
        STACK,
        /** A service with its components. */
        SERVICE,
        /** One component. */
        COMPONENT
    }

    public static DeployKey of(Stack stack) {
        return new DeployKey(stack, LockPath.WHOLE);
    }

    /** The key that this lock is; refuses locks of anything but deployments. */
    public static DeployKey of(LockKey lock) {
        Stack stack = Stack.of(lock.record())
                .orElseThrow(
                        () -> new IllegalArgumentException("lock '" + lock + "' is not the lock of a stack; those are "
                                + Stack.NAMESPACE + ":stack:{stack}:env:{environment}"));
        return new DeployKey(stack, lock.path());
    }

    /** Reads the spelling above. A component needs its service: alone it would be a service of the same name. */
    public static DeployKey parse(String text) {
        return of(LockKey.of(Stack.NAMESPACE, text));
    }

    /** A service of this stack, or a component as {@code service/component}. */
    public DeployKey at(String servicePath) {
        return new DeployKey(stack, LockPath.of(servicePath));
    }

    public Level level() {
        if (path.isWhole()) {
            return Level.STACK;
        }
        return path.value().indexOf('/') < 0 ? Level.SERVICE : Level.COMPONENT;
    }

    public LockKey lock() {
        return new LockKey(stack.lock().record(), path);
    }

    /** The spelling above. */
    @Override
    public String toString() {
        String whole = stack.lock().name();
        return switch (level()) {
            case STACK -> whole;
            case SERVICE -> whole + SERVICE + path;
            case COMPONENT -> whole + COMPONENT + path;
        };
    }
}
