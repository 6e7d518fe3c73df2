package dev.holdfast.model;

/**
 * Who asked for a change, and in which request: written into the event it leads to, so that an audit can be followed back.
 *
 * @param actor who; empty when it is the owner
 * @param request the request's id; empty when there is none
 */
public record Cause(String actor, String request) {
    /** The owner itself, in no particular request. */
    public static final Cause OWNER = new Cause("", "");

    /** Checks both texts. */
    public Cause {
        Names.text("actor", actor, 0);
        Names.text("request id", request, 0);
    }

    /** Who is recorded as having done it. */
    public String actorOr(String owner) {
        return actor.isEmpty() ? owner : actor;
    }
}
