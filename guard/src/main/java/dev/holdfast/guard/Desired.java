package dev.holdfast.guard;

import java.util.Locale;
import java.util.Optional;

/** What is wished for an app. */
public enum Desired {
    /** Nothing: what probes see decides. */
    AUTO,
    /** It should run: its databases are never stopped, whatever probes see. */
    RUNNING,
    /** It should not run, as its own stop said: a refused connection then means that it is down. */
    STOPPED;

    /** Its public name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The wish with this public name. */
    public static Optional<Desired> of(String label) {
        for (Desired one : values()) {
            if (one.label().equals(label)) {
                return Optional.of(one);
            }
        }
        return Optional.empty();
    }
}
