package dev.holdfast.model;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a caller locks: a record, and the part of its tree.
 *
 * @param record the record: namespace and name
 * @param path the part of the record's tree; {@link LockPath#WHOLE} for all of it
 */
public record LockKey(RecordKey record, LockPath path) implements Comparable<LockKey> {
    /** The namespace of callers who do not name one. */
    public static final String DEFAULT_NAMESPACE = "default";

    /**
     * The whole of the lock {@code name} in {@code namespace}. In the namespace {@code deploy} a name such as
     * {@code stack:shop:env:prod:service:users} or {@code stack:shop:env:prod:component:users/api} means that part of the stack, the
     * lock {@code stack:shop:env:prod} at {@code users} or {@code users/api}.
     *
     * @throws IllegalArgumentException if it is not a valid name, or looks like such a part but is not one
     */
    public static LockKey of(String namespace, String name) {
        return DeploySpelling.read(namespace, name)
                .orElseGet(() -> new LockKey(new RecordKey(namespace, name), LockPath.WHOLE));
    }

    /** The same record, only the part at {@code path} (segments joined by {@code /}). */
    public LockKey at(String path) {
        return new LockKey(record, LockPath.of(path));
    }

    /** The namespace. */
    public String namespace() {
        return record.namespace();
    }

    /** The lock's name. */
    public String name() {
        return record.name();
    }

    @Override
    public int compareTo(LockKey other) {
        int byRecord = record.compareTo(other.record);
        return byRecord != 0 ? byRecord : path.compareTo(other.path);
    }

    @Override
    public String toString() {
        return path.isWhole() ? record.toString() : record + "/" + path;
    }

    /**
     * The spelling of deployment locks that names a part within the name: {@code stack:shop:env:prod:service:users} and
     * {@code stack:shop:env:prod:component:users/api}. It means a part of the stack's tree. As names of their own such locks would exclude
     * nothing but themselves.
     */
    private static final class DeploySpelling {
        static final String NAMESPACE = "deploy";

        private static final String SEGMENT = "[A-Za-z0-9_-][A-Za-z0-9_.-]{0,63}";
        /** What looks like it, well-formed or not. */
        private static final Pattern LIKE = Pattern.compile("stack:.*:(service|component)(:.*)?");

        private static final Pattern PART = Pattern.compile("(?<stack>stack:" + SEGMENT + ":env:" + SEGMENT + "):"
                + "(service:(?<service>" + SEGMENT + ")|component:(?<component>" + SEGMENT + "(/" + SEGMENT + ")+))");

        private DeploySpelling() {}

        /**
         * The part this name spells; empty if it is an ordinary name.
         *
         * @throws IllegalArgumentException if it looks like such a spelling, and is none
         */
        static Optional<LockKey> read(String namespace, String name) {
            if (!namespace.equals(NAMESPACE) || !LIKE.matcher(name).matches()) {
                return Optional.empty();
            }
            Matcher part = PART.matcher(name);
            if (!part.matches()) {
                throw new IllegalArgumentException("lock name '" + Names.shown(name) + "' in namespace '" + NAMESPACE
                        + "' must be written stack:{stack}:env:{environment}:service:{service} or "
                        + "stack:{stack}:env:{environment}:component:{service}/{component}; each name has 1 to 64 letters, "
                        + "digits, '_', '.' and '-', and does not start with '.'");
            }
            String path = part.group("service") == null ? part.group("component") : part.group("service");
            return Optional.of(new LockKey(new RecordKey(namespace, part.group("stack")), LockPath.of(path)));
        }
    }
}
