package dev.holdfast.guard.registry;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.failure.HoldfastException;
import dev.holdfast.guard.App;
import dev.holdfast.guard.GuardBusyException;
import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.resource.DocumentVersion;
import dev.holdfast.guard.resource.ResourceRecord;
import dev.holdfast.guard.resource.ResourceSnapshot;
import dev.holdfast.guard.resource.StopUnit;
import dev.holdfast.guard.resource.Topology;
import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;

/** Apps and resources in the document store. Everything is read when asked; a cache only spares reading what has not changed. */
public final class GuardDocuments {
    private static final String APPS = "guard/apps/";
    private static final String RESOURCES = "guard/resources/";
    private static final String ENDING = ".json";
    /** Says in a listing that there is something to do or to watch, so that idle resources are not read. */
    private static final String ACTIVE = "active";

    private static final String IDLE = "idle";
    /** What 'idle' was called when stopped resources were not watched: it may be one of those. */
    private static final String IDLE_OR_STOPPED = "no";
    /** How often a change is tried again when others are quicker. */
    private static final int MAX_TRIES = 50;

    private final DocumentStore documents;
    private final Map<String, String> idle = new ConcurrentHashMap<>(); // tags, by document name
    private volatile Map<String, ParsedDocument<App>> cache = Map.of(); // by document name; replaced as a whole

    /** Resources read lately. */
    private static final int MOST_PARSED = 256;

    private final Map<String, ParsedDocument<ResourceRecord>> parsed = new RecentMap<>(MOST_PARSED);

    private record ParsedDocument<T>(String tag, T value) {}

    public GuardDocuments(DocumentStore documents) {
        this.documents = documents;
    }

    // ---- apps

    public Optional<DocumentVersion<App>> app(String name) {
        String file = APPS + name + ENDING;
        return documents
                .get(file)
                .map(found -> new DocumentVersion<>(DocumentFormat.readApp(file, found.content()), same(found)));
    }

    /** All apps, by name; reads only those that changed. */
    public Map<String, App> apps() {
        Map<String, App> all = new TreeMap<>();
        Map<String, ParsedDocument<App>> seen = new HashMap<>();
        for (DocumentHead head : heads(APPS)) {
            cached(head).or(() -> read(head)).ifPresent(one -> {
                seen.put(head.name(), one);
                all.put(one.value().name(), one.value());
            });
        }
        cache = seen;
        return all;
    }

    /** Looks again at these, past any listing, which may lag behind; true if one was not as in the map. */
    private boolean refresh(Map<String, App> apps, Collection<String> names) {
        boolean changed = false;
        for (String name : names) {
            String file = APPS + name + ENDING;
            Optional<App> now = documents
                    .look(file)
                    .flatMap(head -> cached(head).or(() -> read(head)))
                    .map(ParsedDocument::value);
            Optional<App> before = Optional.ofNullable(apps.get(name));
            if (!now.equals(before)) {
                changed = true;
                now.ifPresentOrElse(app -> apps.put(name, app), () -> apps.remove(name));
            }
        }
        return changed;
    }

    private Optional<ParsedDocument<App>> cached(DocumentHead head) {
        return Optional.ofNullable(cache.get(head.name()))
                .filter(one -> one.tag().equals(head.tag()));
    }

    private Optional<ParsedDocument<App>> read(DocumentHead head) {
        return documents
                .get(head.name())
                .map(found ->
                        new ParsedDocument<>(found.head().tag(), DocumentFormat.readApp(head.name(), found.content())));
    }

    // ---- resources

    public DocumentVersion<ResourceRecord> resource(String id) {
        String file = resourceFile(id);
        Optional<Document> found = documents.get(file);
        return found.map(one -> new DocumentVersion<>(parsed(file, one), same(one)))
                .orElseGet(() -> new DocumentVersion<>(ResourceRecord.fresh(id), Condition.absent()));
    }

    /** A resource and who uses it. The resource is read first: who registers or starts an app writes it last, so a change in between is noticed. */
    public ResourceSnapshot snapshot(String id) {
        DocumentVersion<ResourceRecord> stored = resource(id);
        Map<String, App> apps = apps();
        Optional<StopUnit> unit = Topology.of(apps.values()).unit(id);
        Set<String> users = new HashSet<>(stored.value().apps());
        unit.ifPresent(found -> users.addAll(found.sharers()));
        if (refresh(apps, users)) {
            unit = Topology.of(apps.values()).unit(id);
        }
        return ResourceSnapshot.of(stored, unit, apps);
    }

    /** Fifty decisions with their evidence are much to parse for what is read several times in a row. */
    private ResourceRecord parsed(String file, Document found) {
        synchronized (parsed) {
            ParsedDocument<ResourceRecord> last = parsed.get(file);
            if (last != null && last.tag().equals(found.head().tag())) {
                return last.value();
            }
        }
        ResourceRecord resource = DocumentFormat.readResource(file, found.content());
        remember(found.head(), resource);
        return resource;
    }

    /** The identifiers of resources with something to do, and of those that are stopped. */
    public List<String> watchedResources() {
        List<String> active = new ArrayList<>();
        for (DocumentHead head : heads(RESOURCES)) {
            String attention = head.attributes().getOrDefault(ACTIVE, "");
            if (!attention.equals(IDLE) && !(attention.equals(IDLE_OR_STOPPED) && isIdle(head))) {
                active.add(identifier(head.name()));
            }
        }
        return active;
    }

    /** Read once for each version of the document. */
    private boolean isIdle(DocumentHead head) {
        if (head.tag().equals(idle.get(head.name()))) {
            return true;
        }
        try {
            boolean rests = attention(resource(identifier(head.name())).value()).equals(IDLE);
            if (rests) {
                idle.put(head.name(), head.tag());
            }
            return rests;
        } catch (StoreUnusableException e) {
            return false; // whoever looks at it says what is wrong
        }
    }

    // ---- changing

    public Change put(App app, Condition unchanged) {
        return Change.put(APPS + app.name() + ENDING, unchanged, DocumentFormat.write(app), Map.of());
    }

    public Change put(DocumentVersion<ResourceRecord> read, ResourceRecord next) {
        ResourceRecord written = next.nextVersion();
        return Change.put(
                resourceFile(written.id()),
                read.unchanged(),
                DocumentFormat.write(written),
                Map.of(ACTIVE, attention(written)));
    }

    private static String attention(ResourceRecord resource) {
        if (resource.isActive()) {
            return "yes";
        }
        boolean used = resource.movedTo().isEmpty() && !resource.apps().isEmpty();
        return used && resource.state() == ResourceState.STOPPED ? "stopped" : IDLE;
    }

    public Change delete(DocumentVersion<App> app) {
        return Change.delete(APPS + app.value().name() + ENDING, app.unchanged());
    }

    public Change forget(DocumentVersion<ResourceRecord> resource) {
        return Change.delete(resourceFile(resource.value().id()), resource.unchanged());
    }

    /** Whether all of it was written; false if something had changed since it was read. */
    public boolean write(List<Change> changes) {
        return changes.isEmpty() || documents.write(changes) instanceof WriteOutcome.Written;
    }

    /** Writes the resource if it has not changed since it was read. */
    public boolean write(DocumentVersion<ResourceRecord> read, ResourceRecord next) {
        WriteOutcome outcome = documents.write(List.of(put(read, next)));
        if (outcome instanceof WriteOutcome.Written done) {
            remember(done.heads().get(0), next.nextVersion());
        }
        return outcome instanceof WriteOutcome.Written;
    }

    /** What was written needs no reading. */
    private void remember(DocumentHead head, ResourceRecord resource) {
        synchronized (parsed) {
            parsed.put(head.name(), new ParsedDocument<>(head.tag(), resource));
        }
    }

    /** Changes a resource as it then is; nothing is written if it stays the same. */
    public ResourceRecord update(String id, UnaryOperator<ResourceRecord> change) {
        return again("resource '" + id + "'", () -> {
            DocumentVersion<ResourceRecord> read = resource(id);
            ResourceRecord next = change.apply(read.value());
            return next.equals(read.value()) || write(read, next) ? Optional.of(next) : Optional.empty();
        });
    }

    /** Something that may be too late: then it is empty. */
    interface DocumentStep<T, E extends Exception> {
        Optional<T> run() throws E;
    }

    /**
     * Tries until several documents are written. Where a store does not write them as a whole, what was refused may have been made in
     * part: then a later failure leaves open what became of it.
     */
    <T, E extends Exception> T together(String what, DocumentStep<T, E> attempt) throws E {
        AtomicBoolean refused = new AtomicBoolean();
        try {
            return again(what, () -> {
                Optional<T> done = attempt.run();
                refused.compareAndSet(false, done.isEmpty());
                return done;
            });
        } catch (HoldfastException | GuardBusyException e) {
            if (documents.isAtomic() || !refused.get()) {
                throw e;
            }
            throw new OutcomeUnknownException(
                    "What is stored of " + what + " may have been changed in part: " + e.getMessage()
                            + ". Ask for the same again, or look first",
                    e);
        }
    }

    /** Tries until it works: each refusal means that somebody else got something done. */
    static <T, E extends Exception> T again(String what, DocumentStep<T, E> attempt) throws E {
        for (int tries = 0; tries < MAX_TRIES; tries++) {
            Optional<T> done = attempt.run();
            if (done.isPresent()) {
                return done.get();
            }
        }
        throw new GuardBusyException(
                "The documents of " + what + " were changed by others " + MAX_TRIES + " times in a row. Try again.");
    }

    // ---- names

    private List<DocumentHead> heads(String prefix) {
        List<DocumentHead> all = new ArrayList<>();
        Optional<String> after = Optional.empty();
        do {
            DocumentPage page =
                    documents.list(ListRequest.of(prefix, ListRequest.MAX_LIMIT).after(after));
            all.addAll(page.heads());
            after = page.next();
        } while (after.isPresent());
        return all;
    }

    private static Condition same(Document found) {
        return Condition.tagged(found.head().tag());
    }

    /** Brackets, as around an IPv6 address, are not allowed in names. */
    private static String resourceFile(String id) {
        return RESOURCES + id.replace("[", "=5b").replace("]", "=5d") + ENDING;
    }

    private static String identifier(String file) {
        String name = file.substring(RESOURCES.length(), file.length() - ENDING.length());
        return name.replace("=5b", "[").replace("=5d", "]");
    }
}
