package dev.holdfast.state.document;

import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** What differs between two states, by resource; not complete if there was more than is listed. Secrets are masked. */
public record StateDiff(List<ResourceChange> changes, boolean complete) {
    /** Stands for a value that must not be shown. */
    public static final String SECRET = "(secret)";

    public StateDiff {
        changes = List.copyOf(changes);
    }

    /**
     * Compares two documents. Terraform's are compared by resource instance ({@code module.a.type.name[0]}) and output
     * ({@code output.name}), {@code deployer-state-v1} by resource and output, others by top-level member ({@code /name}).
     */
    public static StateDiff between(byte[] from, byte[] to) {
        return between(from, to, () -> false);
    }

    /**
     * The same for somebody who may not wait until it is done. The time it takes grows with the size of the documents, and not
     * faster.
     *
     * @param cancelled asked again and again; once it is true, or the thread is interrupted, the comparison ends
     * @throws java.util.concurrent.CancellationException if it was cancelled
     */
    public static StateDiff between(byte[] from, byte[] to, BooleanSupplier cancelled) {
        return Differences.between(from, to, new CancellableWork("The comparison", cancelled));
    }

    /** Whether nothing differs but the way it is written. */
    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** How many of its resources and outputs are listed as this kind. */
    public long count(Kind kind) {
        return changes.stream()
                .filter(it -> it.kind() == kind && !it.isMember())
                .count();
    }

    /** How many other members of the documents differ, such as the serial; for a document of another kind, all of them. */
    public long countOthers() {
        return changes.stream().filter(ResourceChange::isMember).count();
    }

    /** The same without what stands in resources that are in only one of the two: what was there all along is no change. */
    public StateDiff withoutWhole() {
        return new StateDiff(
                changes.stream()
                        .map(it -> it.kind() == Kind.CHANGED || it.attributes().isEmpty()
                                ? it
                                : new ResourceChange(it.address(), it.kind(), List.of(), false))
                        .toList(),
                complete);
    }

    /** What happened to a resource. */
    public enum Kind {
        /** It is new. */
        ADDED,
        /** It is gone. */
        REMOVED,
        /** It is another. */
        CHANGED
    }

    /**
     * A resource, output or member that differs.
     *
     * @param address which
     * @param kind how
     * @param attributes what in it: of a changed one what differs, of the others everything; empty if it is too large to be compared
     *     inside
     * @param complete false if there are more attributes than are listed
     */
    public record ResourceChange(String address, Kind kind, List<Attribute> attributes, boolean complete) {
        public ResourceChange {
            attributes = List.copyOf(attributes);
        }

        /** Whether it is a member of the document itself ({@code /serial}), no resource and no output. */
        public boolean isMember() {
            return address.startsWith("/");
        }
    }

    /**
     * An attribute that differs.
     *
     * @param path names joined by dots, items of arrays as {@code [0]}
     * @param before as short JSON, or {@value StateDiff#SECRET}; empty if it was not there
     * @param after likewise
     */
    public record Attribute(String path, Optional<String> before, Optional<String> after) {
        /** Whether its value is not shown. No value is written like the mask: a text has quotes. */
        public boolean isSecret() {
            return before.equals(Optional.of(SECRET)) || after.equals(Optional.of(SECRET));
        }
    }
}
