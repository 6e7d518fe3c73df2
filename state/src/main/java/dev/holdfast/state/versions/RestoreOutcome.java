package dev.holdfast.state.versions;

/** What became of a restore. */
public sealed interface RestoreOutcome permits RestoreOutcome.Restored, RestoreOutcome.NoSuchVersion, StateRefusal {
    /** The version {@code from} is current again, as a new version with a serial above every earlier one. */
    record Restored(StateVersion version, StateVersion from) implements RestoreOutcome {}

    /** There is no such version as was asked for. */
    record NoSuchVersion(String asked) implements RestoreOutcome {}
}
