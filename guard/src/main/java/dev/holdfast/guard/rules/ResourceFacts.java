package dev.holdfast.guard.rules;

import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a pass knows when it asks {@link GuardRules} what to do: it begins with the scene, and grows with each thing that is
 * asked.
 *
 * @param task what it is about
 * @param snapshot the resource and who uses it, as read
 * @param at when the last of it was learnt
 * @param use what would act on it, or why nothing can
 * @param state what its actuator says it does; empty if it was not asked
 * @param looked what was seen of its apps; empty if nobody looked
 * @param acted what came of acting; empty if nothing was done
 * @param after what its actuator says it does since then; empty if it was not asked
 */
public record ResourceFacts(
        Task task,
        ResourceSnapshot snapshot,
        Instant at,
        Use use,
        Optional<ResourceState> state,
        Optional<AppObservations> looked,
        Optional<CompletedAct> acted,
        Optional<ResourceState> after) {

    /** Why it is judged. */
    public enum Errand {
        /** An app asked for a stop and waits for the answer. */
        STOP,
        /** An app starts and waits for the answer. */
        START,
        /** Nobody waits: what is unfinished is looked at again. */
        RECONCILE
    }

    /** What a pass is about: a resource, why and for which app it is judged, and the token of the lock it is judged under. */
    public record Task(String id, Errand errand, String caller, long token) {
        /** What is told when nothing was judged. */
        public GuardDecision unjudged(GuardOutcome outcome, String reason, Instant at) {
            return new GuardDecision(id, outcome, reason, List.of(), caller, at, token, false);
        }
    }

    /** What would act on it: why nothing can, and whether its actuator only records. */
    public record Use(Optional<String> problem, boolean recordsOnly) {}

    /** Something that was done, and what its actuator said. */
    public record CompletedAct(Step.Kind what, ActResult result) {}

    public static ResourceFacts of(Task task, ResourceSnapshot snapshot, Instant at, Use use) {
        return new ResourceFacts(
                task, snapshot, at, use, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Before anything is done, what it does; after, what it does since. */
    public ResourceFacts state(ResourceState seen, Instant now) {
        return acted.isPresent()
                ? new ResourceFacts(task, snapshot, now, use, state, looked, acted, Optional.of(seen))
                : new ResourceFacts(task, snapshot, now, use, Optional.of(seen), looked, acted, after);
    }

    public ResourceFacts looked(AppObservations seen, Instant now) {
        return new ResourceFacts(task, snapshot, now, use, state, Optional.of(seen), acted, after);
    }

    public ResourceFacts acted(Step.Kind what, ActResult result, Instant now) {
        return new ResourceFacts(
                task, snapshot, now, use, state, looked, Optional.of(new CompletedAct(what, result)), Optional.empty());
    }

    public ResourceRecord resource() {
        return snapshot.resource();
    }

    public GuardDecision answer(GuardOutcome outcome, String reason, List<Evidence> evidence) {
        return new GuardDecision(
                task.id(), outcome, reason, evidence, task.caller(), at, task.token(), use.recordsOnly());
    }
}
