package dev.holdfast.guard;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** What every piece of work on a resource uses. */
record GuardContext(
        GuardDocuments documents,
        AppProbes probes,
        ActuatorCalls actuators,
        HostAddresses hosts,
        ResourceLocks lock,
        DecisionSink publisher,
        DecisionLog log,
        Function<ResourceFacts, Step> rules,
        GuardConfig config,
        Clock clock) {

    static GuardContext of(GuardParts parts, GuardConfig config, DecisionLog log) {
        return new GuardContext(
                new GuardDocuments(parts.documents()),
                new AppProbes(parts.prober(), config, parts.clock()),
                new ActuatorCalls(parts, config, log),
                parts.hosts(),
                new ResourceLeases(parts, config, log),
                new DecisionPublisher(parts, log),
                log,
                new GuardRules(config)::of,
                config,
                parts.clock());
    }

    /** Looks at all its apps. */
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
    AppProbes.Looked lookAt(ResourceSnapshot snapshot, Map<String, ProbeResult> probed) {
        AppProbes.Looked looked = probes.count(snapshot.resource(), snapshot.apps(), probed);
        if (!looked.over().isEmpty()) {
            documents.update(snapshot.resource().id(), resource -> resource.without(looked.over()));
        }
        return looked;
    }
}
