package dev.holdfast.state.versions;

/** What became of a deletion. */
public sealed interface DeleteOutcome permits DeleteOutcome.Deleted, StateRefusal {
    /**
     * There is no current state any more. Its history stays.
     *
     * @param existed whether there was one
     */
    record Deleted(boolean existed) implements DeleteOutcome {}
}
