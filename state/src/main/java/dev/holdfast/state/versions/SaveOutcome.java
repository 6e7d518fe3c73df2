package dev.holdfast.state.versions;

/** What became of a save. */
public sealed interface SaveOutcome permits SaveOutcome.Saved, SaveOutcome.Repeated, StateRefusal {
    /** A new version, durable. */
    record Saved(StateVersion version) implements SaveOutcome {}

    /** The same lease had saved the same bytes last, as this version: an answer was lost, or the caller repeats itself. No new version. */
    record Repeated(StateVersion version) implements SaveOutcome {}
}
