package dev.holdfast.state.versions;

/** What became of a restore. */
public sealed interface RestoreOutcome permits RestoreOutcome.Restored, RestoreOutcome.NoSuchVersion, StateRefusal {
    /**
     * An earlier version is current again, as a new version with a serial above every earlier one.
     *
     * @param version the new version
     * @param from the version it was made of
     */
    record Restored(StateVersion version, StateVersion from) implements RestoreOutcome {}

    /**
     * There is no such version.
     *
     * @param asked what was asked for
     */
    record NoSuchVersion(String asked) implements RestoreOutcome {}
}
