package dev.holdfast.state.versions;

/** What became of a deletion. */
public sealed interface DeleteOutcome permits DeleteOutcome.Deleted, StateRefusal {
    /** There is no current state any more; {@code existed} if there was one before. Its history stays. */
    record Deleted(boolean existed) implements DeleteOutcome {}
}
