package dev.holdfast.model;

/**
 * What a caller locks: a record, and the part of its tree.
 *
 * @param record the record: namespace and name
 * @param path the part of the record's tree; {@link LockPath#WHOLE} for all of it
 */
public record LockKey(RecordKey record, LockPath path) implements Comparable<LockKey> {
    /** The namespace of callers who do not name one. */
    public static final String DEFAULT_NAMESPACE = "default";

    /** The whole of the lock {@code name} in the default namespace. */
    public static LockKey of(String name) {
        return of(DEFAULT_NAMESPACE, name);
    }

    /**
     * The whole of the lock {@code name} in {@code namespace}. In the namespace {@code deploy} a name such as
     * {@code stack:shop:env:prod:service:users} or {@code stack:shop:env:prod:component:users/api} means that part of the stack, the
     * lock {@code stack:shop:env:prod} at {@code users} or {@code users/api}.
     *
     * @throws IllegalArgumentException if it is no name, or looks like such a part and is none
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
}
