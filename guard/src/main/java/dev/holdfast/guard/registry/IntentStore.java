package dev.holdfast.guard.registry;

import dev.holdfast.documents.Change;
import dev.holdfast.guard.App;
import dev.holdfast.guard.DesiredState;
import dev.holdfast.guard.Intent;
import dev.holdfast.guard.UnknownAppException;
import dev.holdfast.guard.resource.DocumentVersion;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.Topology;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Stores what is wished, before anything is judged: from then on it happens, whoever dies. */
public record IntentStore(GuardDocuments documents, Clock clock, Duration startingTimeout) {
    /** The app should not run, and its resources should be stopped once nobody needs them; their identifiers. */
    public List<String> stop(String name) {
        Instant now = clock.instant();
        return store(
                name,
                app -> app.wished(DesiredState.STOPPED, Optional.empty()),
                resource -> resource.wanted(new Intent(name, now)));
    }

    /** The app starts, and wants its resources no longer stopped; their identifiers. What others intend stays theirs. */
    public List<String> start(String name) {
        Optional<Instant> until = Optional.of(clock.instant().plus(startingTimeout));
        return store(
                name,
                app -> app.wished(app.desired() == DesiredState.STOPPED ? DesiredState.AUTO : app.desired(), until),
                resource -> resource.withdrawnBy(name));
    }

    private List<String> store(String name, UnaryOperator<App> wish, UnaryOperator<ResourceRecord> change) {
        return documents.together("app '" + name + "'", () -> {
            DocumentVersion<App> app = known(name);
            List<String> units = unitsOf(app.value());
            // The app first: an intent only holds while its app is wished stopped, and where a write can end in the
            // middle, the resources change after the app is seen starting.
            List<Change> changes = new ArrayList<>();
            changes.add(documents.put(wish.apply(app.value()), app.unchanged()));
            for (String id : units) {
                DocumentVersion<ResourceRecord> stored = documents.resource(id);
                changes.add(documents.put(stored, change.apply(stored.value())));
            }
            return documents.write(changes) ? Optional.of(units) : Optional.empty();
        });
    }

    public DocumentVersion<App> known(String name) {
        if (!Registry.isName(name)) {
            throw new UnknownAppException(name);
        }
        return documents
                .app(name)
                .filter(app -> !app.value().leaving())
                .orElseThrow(() -> new UnknownAppException(name));
    }

    public List<String> unitsOf(App app) {
        Map<String, App> apps = documents.apps();
        apps.put(app.name(), app);
        return Topology.of(apps.values()).unitsOf(app.name());
    }
}
