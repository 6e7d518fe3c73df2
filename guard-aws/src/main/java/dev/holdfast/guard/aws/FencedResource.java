package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.StopOrStart;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource that shows its state and its tokens together, and lets both be changed, but not together. What goes wrong with its
 * calls names it.
 */
interface FencedResource {
    /** A resource as read: what its own word comes to, what AWS calls it, and the fencing tokens in its tags. */
    record State(ResourceState state, String word, TokenTags tokens) {}

    AwsQuery service();

    /** As people call it. */
    String shown();

    State look(Deadline deadline) throws ActFailure;

    void tag(long token, Deadline deadline) throws ActFailure;

    /** Removes the tags with these keys, of which there is at least one. */
    void untag(List<String> keys, Deadline deadline) throws ActFailure;

    /** What would stand in the way of the order, as far as AWS can say without doing it. */
    void rehearse(StopOrStart aim, Deadline deadline) throws ActFailure;

    /** The call that takes it there. */
    String action(StopOrStart aim);

    /** How that call names it. */
    Map<String, String> parameters();

    /** Sends the order, once. Empty if it was accepted; otherwise what stood in its way and may pass. */
    default Optional<ActFailure> order(StopOrStart aim, Deadline deadline) throws ActFailure {
        return service().attempt(action(aim), parameters(), shown(), deadline);
    }

    default AwsXml call(String action, Map<String, String> parameters, Deadline deadline) throws ActFailure {
        try {
            return service().call(action, parameters, deadline);
        } catch (AwsProblem e) {
            throw e.refusal(action, shown());
        }
    }
}
