package dev.holdfast.guard.registry;

import dev.holdfast.documents.Change;
import dev.holdfast.guard.App;
import dev.holdfast.guard.Desired;
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

/** Stores what is wished, before anything is judged: from then on it happens, whoever dies. */
public final class IntentStore {
    private final GuardDocuments documents;
    private final Clock clock;
    private final Duration startingTimeout;

    /** In these documents; an app counts as starting for so long. */
    public IntentStore(GuardDocuments documents, Clock clock, Duration startingTimeout) {
        this.documents = documents;
        this.clock = clock;
        this.startingTimeout = startingTimeout;
    }

    /** The app should not run, and its resources should be stopped once nobody needs them; their identifiers. */
    public List<String> stop(String name) {
        return GuardDocuments.again("app '" + name + "'", () -> {
            DocumentVersion<App> app = known(name);
            List<String> units = unitsOf(app.value());
            // The app first: an intent only holds while its app is wished stopped.
            List<Change> changes = new ArrayList<>();
            changes.add(documents.put(app.value().wished(Desired.STOPPED, Optional.empty()), app.unchanged()));
            Intent intent = new Intent(name, clock.instant());
            for (String id : units) {
                DocumentVersion<ResourceRecord> stored = documents.resource(id);
                changes.add(documents.put(stored, stored.value().wanted(intent)));
            }
            return documents.write(changes) ? Optional.of(units) : Optional.empty();
        });
    }

    /** The app starts, and wants its resources no longer stopped; their identifiers. What others intend stays theirs. */
    public List<String> start(String name) {
        return GuardDocuments.again("app '" + name + "'", () -> {
            DocumentVersion<App> app = known(name);
            List<String> units = unitsOf(app.value());
            Desired desired = app.value().desired() == Desired.STOPPED
                    ? Desired.AUTO
                    : app.value().desired();
            Instant until = clock.instant().plus(startingTimeout);
            // The app first: where a write can end in the middle, the resources change after the app is seen starting.
            List<Change> changes = new ArrayList<>();
            changes.add(documents.put(app.value().wished(desired, Optional.of(until)), app.unchanged()));
            for (String id : units) {
                DocumentVersion<ResourceRecord> stored = documents.resource(id);
                changes.add(documents.put(stored, stored.value().withdrawnBy(name)));
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
