package dev.holdfast.documents;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The bounds of a write, the same for every store. */
public final class Writes {
    private Writes() {}

    /** Refuses a write that is empty, too large, or changes a document twice. */
    public static void check(DocumentStore store, List<Change> changes) {
        if (changes.isEmpty() || changes.size() > Change.MAX_CHANGES) {
            throw new IllegalArgumentException(
                    "a write has 1 to " + Change.MAX_CHANGES + " changes, this one has " + changes.size());
        }
        Set<String> names = new HashSet<>();
        for (Change change : changes) {
            if (!names.add(change.name())) {
                throw new IllegalArgumentException("document '" + change.name() + "' is changed twice in one write");
            }
            if (change instanceof Change.Put put && put.content().length > store.maxSize()) {
                throw new IllegalArgumentException("document '" + change.name() + "' has " + put.content().length
                        + " bytes; " + store.kind() + " keeps at most " + store.maxSize());
            }
        }
    }
}
