package dev.holdfast.guard;

import java.util.Locale;

/** How an app stands to a stop of what it uses, the strongest objection first. */
public enum AppStanding {
    /** It needs the resource. */
    NEEDS,
    /** Nobody can say. */
    DOUBTFUL,
    /** Nobody asked it to stop, and it fails; not for long enough yet. */
    FAILING,
    /** It was seen down, not often enough yet. */
    CONFIRMING,
    /** It is down. */
    GONE;

    /** Its public name. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
