package dev.holdfast.documents;

import java.util.List;
import java.util.Optional;

/** What became of a write. */
public sealed interface WriteOutcome {
    /**
     * All changes were made, durably.
     *
     * @param heads of the documents written, in the order of the changes; deleted ones have none
     */
    record Written(List<DocumentHead> heads) implements WriteOutcome {
        public Written {
            heads = List.copyOf(heads);
        }
    }

    /**
     * A condition did not hold.
     *
     * @param index of the change it belonged to
     * @param current the document as it is; empty if there is none
     */
    record Refused(int index, Optional<DocumentHead> current) implements WriteOutcome {}
}
