package dev.holdfast.guard.aws;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.ReadBack;
import dev.holdfast.guard.actuator.StopOrStart;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops or starts a resource in this order: look and refuse an older token; add ours; look until ours shows, and refuse if there is
 * a higher one; order; remove the tags of older tokens; read back. An order that has to be repeated is preceded by another look. The
 * token is written even if there is nothing to order: from then on an older caller is refused.
 *
 * <p>Whoever was paused before adding its token, or after that and before looking again, finds the newer one: see {@link
 * TokenTags}. AWS knows no compare-and-set, so a caller that was paused between its last look and its order can still be late;
 * the lock it holds is the first line of defence, and this the second.
 */
record FencedAct(FencedResource resource, ActTarget target, StopOrStart aim, ReadBack settling, Deadline deadline) {
    private static final Logger LOG = LoggerFactory.getLogger(FencedAct.class);

    /** Tags take a moment to show. */
    private static final int MOST_LOOKS = 10;

    private static final int MOST_ORDERS = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    /** AWS allows 50 tags, and they are the user's. If so many old ones are left, nobody was able to remove them. */
    private static final int MOST_OUTDATED = 10;

    ActResult run() throws ActFailure {
        FencedResource.State seen = resource.look(deadline);
        if (overtaken(seen)) {
            return new ActResult.Stale(seen.tokens().newest());
        }
        if (target.dryRun()) {
            return rehearsed(seen);
        }
        FencedResource.State last = pushed(fenced(seen));
        tidy(last);
        return overtaken(last)
                ? new ActResult.Stale(last.tokens().newest())
                : settling.readBack(
                        aim, resource.shown(), () -> resource.look(deadline).state(), deadline);
    }

    private boolean overtaken(FencedResource.State seen) {
        return seen.tokens().newest() > target.fencingToken();
    }

    private ActResult rehearsed(FencedResource.State seen) throws ActFailure {
        if (!aim.underWay(seen.state())) {
            resource.rehearse(aim, deadline);
        }
        return new ActResult.Done(
                seen.state(), "dry run: would " + aim.verb() + " " + resource.shown() + ", now " + seen.word());
    }

    /** A look at the resource that shows our token, or a higher one. */
    private FencedResource.State fenced(FencedResource.State first) throws ActFailure {
        if (first.tokens().has(target.fencingToken())) {
            return first;
        }
        List<String> outdated = first.tokens().outdated();
        if (outdated.size() >= MOST_OUTDATED) {
            resource.untag(outdated, deadline);
        }
        resource.tag(target.fencingToken(), deadline);
        for (int look = 0; look < MOST_LOOKS && !deadline.over(); look++) {
            FencedResource.State seen = resource.look(deadline);
            if (seen.tokens().has(target.fencingToken()) || overtaken(seen)) {
                return seen;
            }
            deadline.pause(settling.poll());
        }
        throw new ActFailure("the fencing token written to the tags of " + resource.shown()
                + " does not show; nothing was done, try again");
    }

    /** The last look: either a newer token was seen and nothing was ordered, or the resource is there or on its way. */
    private FencedResource.State pushed(FencedResource.State first) throws ActFailure {
        FencedResource.State seen = afterTheOpposite(first);
        Duration pause = FIRST_PAUSE;
        for (int order = 1; !overtaken(seen); order++) {
            orderable(seen);
            if (aim.underWay(seen.state())) {
                return seen;
            }
            Optional<ActFailure> problem = resource.order(aim, deadline);
            if (problem.isEmpty()) {
                return seen;
            }
            if (order == MOST_ORDERS || deadline.left().compareTo(pause) <= 0) {
                throw problem.get();
            }
            deadline.pause(pause);
            pause = pause.multipliedBy(2);
            // Not the same order again at once: somebody newer may have come while we waited.
            seen = afterTheOpposite(resource.look(deadline));
        }
        return seen;
    }

    private FencedResource.State afterTheOpposite(FencedResource.State first) throws ActFailure {
        FencedResource.State seen = first;
        while (aim.against(seen.state()) && !overtaken(seen) && !deadline.over()) {
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

    private void orderable(FencedResource.State seen) throws ActFailure {
        if (seen.state() == ResourceState.UNKNOWN) {
            throw new ActFailure(resource.shown() + " is '" + seen.word() + "': it cannot be told to " + aim.verb());
        }
        if (aim.against(seen.state())) {
            throw new ActFailure(resource.shown() + " is still '" + seen.word() + "'; nothing was done, try again");
        }
    }

    /** Only after the order, so as not to stand between it and the look before. What is left the next act removes. */
    private void tidy(FencedResource.State seen) {
        List<String> outdated = seen.tokens().outdated();
        if (outdated.isEmpty()) {
            return;
        }
        try {
            resource.untag(outdated, deadline);
        } catch (ActFailure e) {
            LOG.warn(
                    "{} old fencing tokens stay in the tags of {}: {}. From {} on, nothing is done before they are removed.",
                    outdated.size(),
                    resource.shown(),
                    e.getMessage(),
                    MOST_OUTDATED);
        }
    }
}
