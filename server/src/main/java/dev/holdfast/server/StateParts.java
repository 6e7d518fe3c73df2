package dev.holdfast.server;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.server.health.HealthPart;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.observe.load.SlowOperations;
import dev.holdfast.server.observe.load.WatchedDocuments;
import dev.holdfast.server.routes.LockCalls;
import dev.holdfast.server.state.LockFiles;
import dev.holdfast.server.state.StateTable;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.StateManager;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens what state of stacks needs: documents, where the settings say or else where the locks are, and threads that may block. */
final class StateParts {
    private static final Logger LOG = LoggerFactory.getLogger(HoldfastServer.class);
    /** Reading and writing documents; most of the time they wait for the store. */
    private static final int THREADS = 16;
    /** Requests that may wait for a thread. */
    private static final int WAITING = 256;
    /** Of one caller at a time: with all of them before it, another's LOCK still comes soon. */
    private static final int EACH = 64;
    /** Comparing versions computes, and holds two of them in memory. */
    private static final int COMPARING = 2;

    private static final int COMPARISONS = 32;
    /** Comparisons of one caller at a time. */
    private static final int COMPARISONS_EACH = 8;

    /** The name of a document that is never there. */
    private static final String HEALTH = "health";

    private final ServerOptions config;
    private final ClosingSteps opened;
    private final SlowOperations slow;
    private Optional<LockFiles> files = Optional.empty();
    private Optional<DocumentStore> documents = Optional.empty();
    private Optional<StateManager> states = Optional.empty();
    /** How state stands where none is kept. */
    private Optional<HealthPart> notKept = Optional.empty();

    StateParts(ServerOptions config, ClosingSteps opened, SlowOperations slow) {
        this.config = config;
        this.opened = opened;
        this.slow = slow;
    }

    /** The calls about state. Where it cannot be kept and nobody asked for it, a server serves locks all the same. */
    List<Route> routes(LockCalls locks) {
        Optional<String> asked = config.state().store();
        if (asked.isPresent()) {
            return on(open(asked.get()), locks);
        }
        if (config.store().startsWith("dynamodb:")) {
            String why = "the items of DynamoDB are too small for state";
            notKept = Optional.of(
                    HealthPart.off(HealthPart.Name.STATE, "Not kept here, and state.store is not set: " + why + "."));
            LOG.info("No state is kept beside the locks, and state.store is not set: {}", why);
            return none(locks, why);
        }
        try {
            return on(DocumentStores.open(config.store()), locks);
        } catch (IllegalArgumentException | StoreException e) {
            String why = String.valueOf(e.getMessage());
            notKept = Optional.of(HealthPart.down(
                    HealthPart.Name.STATE,
                    "state cannot be kept beside the locks since the server was started: " + why));
            LOG.warn("State cannot be kept beside the locks, and state.store is not set: {}", why);
            return none(locks, why);
        }
    }

    /** What keeps it; empty if nothing does. */
    Optional<String> kind() {
        return notKept.isPresent() ? Optional.empty() : documents.map(DocumentStore::kind);
    }

    /** How state stands; blocks while it looks whether documents can be read. */
    HealthPart health() {
        if (notKept.isPresent()) {
            return notKept.get();
        }
        var unused = documents().look(HEALTH);
        return HealthPart.up(
                HealthPart.Name.STATE, "Documents can be read (" + documents().kind() + ").");
    }

    /** What keeps files that show who holds; it has to hear of every event. Only where that is switched on. */
    Optional<LockFiles> lockFiles() {
        return files;
    }

    /** Where state is kept; there once {@link #routes} was called. */
    DocumentStore documents() {
        return documents.orElseThrow();
    }

    StateManager states() {
        return states.orElseThrow();
    }

    private static DocumentStore open(String url) {
        try {
            return DocumentStores.open(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("state.store cannot be used: " + e.getMessage(), e);
        }
    }

    private List<Route> none(LockCalls locks, String why) {
        return StateTable.closed(
                on(new MemoryDocuments(), locks),
                "State cannot be kept beside the locks: " + why
                        + ". Set state.store to the URL of a place for it, such as"
                        + " s3://bucket/prefix or file:/var/lib/holdfast, and start the server again");
    }

    private List<Route> on(DocumentStore bare, LockCalls locks) {
        DocumentStore kept = opened.with(new WatchedDocuments(bare, slow), DocumentStore::close);
        StateManager manager =
                opened.with(StateManager.on(locks.client(), kept, config.state().keeping()), StateManager::close);
        documents = Optional.of(kept);
        states = Optional.of(manager);
        if (config.state().keeping().visibleLocks()) {
            LockFiles shown = opened.with(new LockFiles(manager), LockFiles::close);
            shown.start(LockFiles.EVERY);
            files = Optional.of(shown);
        }
        ServerOptions.State state = config.state();
        Blocking threads = new Blocking("state", THREADS, WAITING, EACH);
        opened.closing(() -> threads.close(config.grace()));
        Blocking comparing = new Blocking("state-compare", COMPARING, COMPARISONS, COMPARISONS_EACH);
        opened.closing(() -> comparing.close(Duration.ZERO));
        return StateTable.routes(locks, kept, manager, threads, comparing, state.locks(), state.maxStacks());
    }
}
