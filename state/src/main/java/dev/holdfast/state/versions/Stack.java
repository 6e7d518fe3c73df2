package dev.holdfast.state.versions;

import dev.holdfast.internal.parts.ShownText;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.RecordKey;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Names one state document: a stack in an environment.
 *
 * @param name of the stack: 1 to 64 letters, digits, {@code _ . -}, no dot first; without a colon or slash, so that no two pairs
 *     make one lock or one document
 * @param environment likewise
 */
public record Stack(String name, String environment) implements Comparable<Stack> {
    /** The namespace of the locks of all stacks. */
    public static final String NAMESPACE = "deploy";

    private static final Pattern SEGMENT = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}");
    private static final String LOCK = "stack:";
    private static final String ENV = ":env:";

    public Stack {
        segment("stack", name);
        segment("environment", environment);
    }

    /** The stack whose lock this is; empty if it is not the lock of one. */
    public static Optional<Stack> of(RecordKey record) {
        int env = record.name().indexOf(ENV);
        if (!record.namespace().equals(NAMESPACE) || !record.name().startsWith(LOCK) || env < LOCK.length()) {
            return Optional.empty();
        }
        String name = record.name().substring(LOCK.length(), env);
        String environment = record.name().substring(env + ENV.length());
        return isSegment(name) && isSegment(environment) ? Optional.of(new Stack(name, environment)) : Optional.empty();
    }

    /** The lock of the whole stack; its services and components are paths in it. */
    public LockKey lock() {
        return LockKey.of(NAMESPACE, LOCK + name + ENV + environment);
    }

    /** Returns the value if it can be part of a key. */
    public static String segment(String what, String value) {
        if (!isSegment(value)) {
            throw new IllegalArgumentException(what + " '" + ShownText.of(value)
                    + "' must have 1 to 64 letters, digits, '_', '.' and '-', and not start with '.'");
        }
        return value;
    }

    private static boolean isSegment(String value) {
        return SEGMENT.matcher(value).matches();
    }

    @Override
    public int compareTo(Stack other) {
        int byName = name.compareTo(other.name);
        return byName != 0 ? byName : environment.compareTo(other.environment);
    }

    /** For messages: {@code name/environment}. */
    @Override
    public String toString() {
        return name + "/" + environment;
    }
}
