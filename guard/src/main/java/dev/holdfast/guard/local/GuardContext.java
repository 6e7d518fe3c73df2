package dev.holdfast.guard.local;

import dev.holdfast.Lease;
import dev.holdfast.guard.GuardConfig;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.probe.HostAddresses;
import dev.holdfast.guard.probe.ProbeResult;
import dev.holdfast.guard.registry.ActuatorChoice;
import dev.holdfast.guard.registry.GuardDocuments;
import dev.holdfast.guard.registry.ResourceLocks;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.rules.AppObservations;
import dev.holdfast.guard.rules.GuardRules;
import dev.holdfast.guard.rules.ResourceFacts;
import dev.holdfast.guard.rules.Step;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** What every piece of work on a resource uses. */
record GuardContext(
        GuardDocuments documents,
        AppProbes probes,
        ActuatorChoice choice,
        ActuatorCalls actuators,
        HostAddresses hosts,
        ResourceLocks lock,
        DecisionSink publisher,
        DecisionLog log,
        Function<ResourceFacts, Step> rules,
        GuardConfig config,
        Clock clock) {
    /** Who is told of a decision once it is stored, and by which owner of the lock it was taken. Must not throw. */
    interface DecisionSink {
        void tell(GuardDecision decision, String by, Optional<Lease> lease);
    }

    static GuardContext of(GuardParts parts, GuardConfig config, DecisionLog log) {
        ActuatorChoice choice = new ActuatorChoice(parts.actuators(), parts.usualActuator());
        return new GuardContext(
                new GuardDocuments(parts.documents()),
                AppProbes.of(parts.prober(), config, parts.clock()),
                choice,
                new ActuatorCalls(choice, config, log),
                parts.hosts(),
                new ResourceLeases(parts, config, log),
                new DecisionPublisher(parts.locks(), parts.meter(), log),
                log,
                new GuardRules(config)::of,
                config,
                parts.clock());
    }

    /** What is known of a resource before anything is asked. */
    ResourceFacts facts(ResourceFacts.Task task, ResourceSnapshot snapshot) {
        ResourceFacts.Use use = snapshot.unit()
                .map(unit -> new ResourceFacts.Use(
                        choice.problem(unit, snapshot.resource()), choice.recordsOnly(unit, snapshot.resource())))
                .orElseGet(() -> new ResourceFacts.Use(Optional.empty(), false));
        return ResourceFacts.of(task, snapshot, clock.instant(), use);
    }

    /** The same, with what its actuator says it does. */
    ResourceFacts withState(ResourceFacts known) {
        return known.state(actuators.state(target(known)), clock.instant());
    }

    ActuatorCalls.Target target(ResourceFacts known) {
        return actuators.target(
                known.snapshot().unit().orElseThrow(),
                known.resource(),
                known.task().token());
    }

    Map<String, ProbeResult> probe(ResourceSnapshot snapshot) throws InterruptedException {
        try {
            return probes.all(snapshot.apps()).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at apps never fails", e);
        }
    }

    /**
     * What a look says of each app. If somebody's run of failures is over, that is stored at once, without the lock: no guard may go
     * on counting it, and one that is just deciding finds the resource changed.
     */
    AppObservations lookAt(ResourceSnapshot snapshot, Map<String, ProbeResult> probed) {
        AppObservations looked = probes.count(snapshot.resource(), snapshot.apps(), probed);
        probes.memory().looked(snapshot.resource().id(), new AnswerMemory.Look(clock.instant(), looked.each()));
        if (!looked.over().isEmpty()) {
            documents.update(snapshot.resource().id(), resource -> resource.without(looked.over()));
        }
        return looked;
    }
}
