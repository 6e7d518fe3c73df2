package dev.holdfast.state.versions;

import java.util.List;
import java.util.Optional;

/**
 * What a check of all stored versions found.
 *
 * @param stack whose
 * @param checked how many documents were read: the current one and all of its history
 * @param damaged those that are not what was saved; the current one is the first if it is among them
 * @param lastGood the newest version that is good
 */
public record Verification(Stack stack, int checked, List<Damage> damaged, Optional<String> lastGood) {
    public Verification {
        damaged = List.copyOf(damaged);
    }

    /** Whether all is as it was saved. */
    public boolean isGood() {
        return damaged.isEmpty();
    }

    /**
     * A damaged document.
     *
     * @param version which
     * @param current whether it is the current document; else an entry of the history
     * @param problem what is wrong with it; never its bytes
     */
    public record Damage(String version, boolean current, String problem) {}
}
