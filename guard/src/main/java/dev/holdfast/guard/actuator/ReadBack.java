package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;
import java.time.Duration;
import java.util.Locale;

/**
 * Reading back what came of an act.
 *
 * @param poll how long between two looks
 * @param settle how long to look for the end of what was begun; then "on its way" is the answer
 */
public record ReadBack(Duration poll, Duration settle) {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofMinutes(30);

    /** As configured by {@code poll} and {@code settle}. */
    public static ReadBack from(ActuatorSettings settings, Duration poll, Duration settle) {
        return new ReadBack(
                settings.duration("poll", poll, SHORTEST, LONGEST),
                settings.duration("settle", settle, Duration.ZERO, LONGEST));
    }

    @FunctionalInterface
    public interface Look {
        ResourceState now() throws ActFailure;
    }

    /** Done once the resource is there or, when the time is over, on its way; failed if it does not move. */
    public ActResult readBack(StopOrStart aim, String resource, Look look, Deadline deadline) throws ActFailure {
        Deadline end = Deadline.in(settle.compareTo(deadline.left()) < 0 ? settle : deadline.left());
        ResourceState state = ResourceState.UNKNOWN;
        do {
            try {
                state = look.now();
            } catch (ActFailure e) {
                if (!aim.underWay(state) || !deadline.over()) {
                    throw new ActFailure(
                            "the " + aim.verb() + " of " + resource + " was accepted, but " + e.getMessage(), e);
                }
            }
            if (aim.reached(state)) {
                return new ActResult.Done(state, "the " + aim.verb() + " of " + resource + " is complete");
            }
            end.pause(poll);
        } while (!end.over());
        return aim.underWay(state)
                ? new ActResult.Done(state, "the " + aim.verb() + " of " + resource + " was accepted and goes on")
                : new ActResult.Failed("the " + aim.verb() + " of " + resource + " was accepted, but it reads back as "
                        + state.name().toLowerCase(Locale.ROOT) + "; look at the resource itself");
    }
}
