package dev.holdfast.guard.actuator;

import dev.holdfast.guard.ResourceState;
import java.util.Locale;

/** Where an act leads. */
public enum StopOrStart {
    STOP(ResourceState.STOPPED, ResourceState.STOPPING),
    START(ResourceState.RUNNING, ResourceState.STARTING);

    private final ResourceState end;
    private final ResourceState onTheWay;

    StopOrStart(ResourceState end, ResourceState onTheWay) {
        this.end = end;
        this.onTheWay = onTheWay;
    }

    /** As people and programs call it. */
    public String verb() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a resource in this state is where it should be. */
    public boolean reached(ResourceState state) {
        return state == end;
    }

    /** Whether a resource in this state needs no push any more. */
    public boolean underWay(ResourceState state) {
        return state == end || state == onTheWay;
    }

    /** Whether a resource in this state is on its way to the opposite. */
    public boolean against(ResourceState state) {
        return state == (this == STOP ? START : STOP).onTheWay;
    }
}
