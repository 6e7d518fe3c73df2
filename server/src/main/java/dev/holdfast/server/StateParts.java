package dev.holdfast.server;

import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.server.http.Blocking;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.routes.Locks;
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

    private final ServerOptions config;
    private final ClosingSteps opened;
    private Optional<LockFiles> files = Optional.empty();

    StateParts(ServerOptions config, ClosingSteps opened) {
        this.config = config;
        this.opened = opened;
    }

    /** The calls about state. Where it cannot be kept and nobody asked for it, a server serves locks all the same. */
    List<Route> routes(Locks locks) {
        Optional<String> asked = config.state().store();
        if (asked.isPresent()) {
            return on(open(asked.get()), locks);
        }
        if (config.store().startsWith("dynamodb:")) {
            return none(locks, "the items of DynamoDB are too small for state");
        }
        try {
            return on(DocumentStores.open(config.store()), locks);
        } catch (IllegalArgumentException | StoreException e) {
            return none(locks, String.valueOf(e.getMessage()));
        }
    }

    /** What keeps files that show who holds; it has to hear of every event. Only where that is switched on. */
    Optional<LockFiles> lockFiles() {
        return files;
    }

    private static DocumentStore open(String url) {
        try {
            return DocumentStores.open(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("state.store cannot be used: " + e.getMessage(), e);
        }
    }

    private List<Route> none(Locks locks, String why) {
        LOG.info("No state is kept beside the locks, and state.store is not set: {}", why);
        return StateTable.closed(
                on(new MemoryDocuments(), locks),
                "State cannot be kept beside the locks: " + why
                        + ". Set state.store to the URL of a place for it, such as"
                        + " s3://bucket/prefix or file:/var/lib/holdfast, and start the server again");
    }

    private List<Route> on(DocumentStore documents, Locks locks) {
        opened.closing(documents::close);
        StateManager states =
                StateManager.on(locks.client(), documents, config.state().keeping());
        opened.closing(states::close);
        if (config.state().keeping().visibleLocks()) {
            LockFiles shown = new LockFiles(states);
            opened.closing(shown::close);
            shown.start(LockFiles.EVERY);
            files = Optional.of(shown);
        }
        Blocking threads = new Blocking("state", THREADS, WAITING, EACH);
        opened.closing(() -> threads.close(config.grace()));
        Blocking comparing = new Blocking("state-compare", COMPARING, COMPARISONS, COMPARISONS_EACH);
        opened.closing(() -> comparing.close(Duration.ZERO));
        return StateTable.routes(
                locks,
                documents,
                states,
                new StateTable.Threads(threads, comparing),
                config.state().locks(),
                config.state().maxStacks());
    }
}
