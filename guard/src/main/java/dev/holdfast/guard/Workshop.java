package dev.holdfast.guard;

import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** What every piece of work on a resource uses. */
record Workshop(
        GuardFiles files,
        Looks looks,
        Hands hands,
        HostAddresses hosts,
        ResourceLocks lock,
        DecisionSink records,
        DecisionLog log,
        Function<Known, Step> rules,
        GuardConfig config,
        Clock clock) {

    static Workshop of(GuardParts parts, GuardConfig config, DecisionLog log) {
        return new Workshop(
                new GuardFiles(parts.documents()),
                new Looks(parts.prober(), config, parts.clock()),
                new Hands(parts, config, log),
                parts.hosts(),
                new ResourceLock(parts, config, log),
                new Records(parts, log),
                log,
                new NextStep(config)::of,
                config,
                parts.clock());
    }

    /** Looks at all its apps. */
    Map<String, Probed> probe(Scene scene) throws InterruptedException {
        try {
            return looks.all(scene.apps()).get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at apps never fails", e);
        }
    }

    /**
     * What a look says of each app. If somebody's run of failures is over, that is stored at once, without the lock: no guard may go
     * on counting it, and one that is just deciding finds the resource changed.
     */
    Looks.Looked lookAt(Scene scene, Map<String, Probed> probed) {
        Looks.Looked looked = looks.count(scene.resource(), scene.apps(), probed);
        if (!looked.over().isEmpty()) {
            files.update(scene.resource().id(), resource -> resource.without(looked.over()));
        }
        return looked;
    }
}
