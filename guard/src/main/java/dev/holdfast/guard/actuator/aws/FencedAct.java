package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.ActResult;
import dev.holdfast.guard.ActTarget;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.Aim;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.Settling;

/**
 * Stops or starts a resource in this order: look and refuse an older token; write ours; look again, and go on only if ours is what
 * stands there; order; read back. The token is written even if there is nothing to order: from then on an older caller is refused.
 *
 * <p>AWS tags know no compare-and-set. A caller that was paused between the second look and its order can still be late; the lock
 * it holds is the first line of defence, and this the second.
 */
final class FencedAct {
    /** Tags take a moment to show. */
    private static final int MOST_LOOKS = 10;

    private final FencedResource resource;
    private final ActTarget target;
    private final Aim aim;
    private final Settling settling;
    private final Deadline deadline;

    FencedAct(FencedResource resource, ActTarget target, Aim aim, Settling settling) {
        this.resource = resource;
        this.target = target;
        this.aim = aim;
        this.settling = settling;
        deadline = Deadline.in(target.timeout());
    }

    ActResult run() {
        try {
            Seen seen = resource.look(deadline);
            if (seen.token() > target.fencingToken()) {
                return new ActResult.Stale(seen.token());
            }
            if (target.dryRun()) {
                return rehearsed(seen);
            }
            if (seen.token() < target.fencingToken()) {
                resource.tag(target.fencingToken(), deadline);
                seen = lookForOurs();
            }
            seen = afterTheOpposite(seen);
            if (seen.token() > target.fencingToken()) {
                return new ActResult.Stale(seen.token());
            }
            return pushed(seen);
        } catch (ActFailure e) {
            return e.asResult();
        }
    }

    private ActResult rehearsed(Seen seen) throws ActFailure {
        if (!aim.underWay(seen.state())) {
            resource.rehearse(aim, deadline);
        }
        return new ActResult.Done(
                seen.state(), "dry run: would " + aim.verb() + " " + resource.shown() + ", now " + seen.word());
    }

    private Seen lookForOurs() throws ActFailure {
        for (int look = 0; look < MOST_LOOKS && !deadline.over(); look++) {
            Seen seen = resource.look(deadline);
            if (seen.token() >= target.fencingToken()) {
                return seen;
            }
            deadline.pause(settling.poll());
        }
        throw new ActFailure("the fencing token written to the tags of " + resource.shown()
                + " does not show; nothing was done, try again");
    }

    private Seen afterTheOpposite(Seen first) throws ActFailure {
        Seen seen = first;
        while (aim.against(seen.state()) && seen.token() == target.fencingToken() && !deadline.over()) {
            deadline.pause(settling.poll());
            try {
                seen = resource.look(deadline);
            } catch (ActFailure e) {
                if (!deadline.over()) {
                    throw e;
                }
            }
        }
        return seen;
    }

    private ActResult pushed(Seen seen) throws ActFailure {
        switch (seen.state()) {
            case UNKNOWN ->
                throw new ActFailure(
                        resource.shown() + " is '" + seen.word() + "': it cannot be told to " + aim.verb());
            case RUNNING, STOPPED, STARTING, STOPPING -> {
                if (aim.against(seen.state())) {
                    throw new ActFailure(
                            resource.shown() + " is still '" + seen.word() + "'; nothing was done, try again");
                }
                if (!aim.underWay(seen.state())) {
                    resource.order(aim, deadline);
                }
            }
        }
        return settling.readBack(
                aim, resource.shown(), () -> resource.look(deadline).state(), deadline);
    }
}
