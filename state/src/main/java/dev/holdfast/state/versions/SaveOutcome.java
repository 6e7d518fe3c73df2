package dev.holdfast.state.versions;

/** What became of a save. */
public sealed interface SaveOutcome permits SaveOutcome.Saved, SaveOutcome.Repeated, StateRefusal {
    /**
     * A new version, durable.
     *
     * @param version it
     */
    record Saved(StateVersion version) implements SaveOutcome {}

    /**
     * The same lease had saved the same bytes last: an answer was lost, or the caller repeats itself. No new version.
     *
     * @param version the one it had saved
     */
    record Repeated(StateVersion version) implements SaveOutcome {}
}
