package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.Deadline;

/** A resource that shows its state and its newest token together, and lets both be changed, but not together. */
interface FencedResource {
    /** As people call it. */
    String shown();

    Seen look(Deadline deadline) throws ActFailure;

    void tag(long token, Deadline deadline) throws ActFailure;

    void order(Aim aim, Deadline deadline) throws ActFailure;

    /** What would stand in the way of the order, as far as AWS can say without doing it. */
    void rehearse(Aim aim, Deadline deadline) throws ActFailure;
}
