package dev.holdfast.guard;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The desired state of an app. */
public enum DesiredState {
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

    public static Optional<DesiredState> of(String label) {
        return Arrays.stream(values()).filter(one -> one.label().equals(label)).findFirst();
    }
}
