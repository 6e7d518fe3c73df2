package dev.holdfast.model;

/**
 * Names one {@link LockRecord}, the unit of compare-and-set. Ordered by namespace, then name: the order in which several
 * records are always locked, so that no two callers can wait for each other.
 *
 * @param namespace 1 to 64 of letters, digits, {@code _ . -}
 * @param name 1 to 512 printable characters; a {@code /} in it means nothing
 */
public record RecordKey(String namespace, String name) implements Comparable<RecordKey> {
    /** Checks both names. */
    public RecordKey {
        Names.namespace(namespace);
        Names.name(name);
    }

    /** By hand, like the hash: every call looks up its lock, and the generated methods of a record are slow in a new process. */
    @Override
    public boolean equals(Object other) {
        return other instanceof RecordKey key && name.equals(key.name) && namespace.equals(key.namespace);
    }

    @Override
    public int hashCode() {
        return 31 * namespace.hashCode() + name.hashCode();
    }

    @Override
    public int compareTo(RecordKey other) {
        int byNamespace = namespace.compareTo(other.namespace);
        return byNamespace != 0 ? byNamespace : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return namespace + ":" + name;
    }
}
