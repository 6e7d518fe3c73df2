package dev.holdfast.state;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.spi.StoreException;
import dev.holdfast.state.json.Json;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that show people who holds the lock, beside the state and in one folder for all. They are written after the lock was taken
 * and removed before it is released, and decide nothing: a killed holder leaves them behind until the next one.
 */
final class VisibleLocks {
    private static final Logger LOG = LoggerFactory.getLogger(StateManager.class);

    private final DocumentStore documents;
    private final boolean shown;

    VisibleLocks(DocumentStore documents, boolean shown) {
        this.documents = documents;
        this.shown = shown;
    }

    void show(Stack stack, Json.Obj lock) {
        Json.Obj named = lock.with("stack", Json.of(stack.name())).with("environment", Json.of(stack.environment()));
        byte[] bytes = named.bytes();
        attempt(
                stack,
                List.of(
                        Change.put(StateNames.lockFile(stack), Condition.none(), bytes, Map.of()),
                        Change.put(StateNames.lockListing(stack), Condition.none(), bytes, Map.of())));
    }

    void hide(Stack stack) {
        attempt(
                stack,
                List.of(
                        Change.delete(StateNames.lockFile(stack), Condition.none()),
                        Change.delete(StateNames.lockListing(stack), Condition.none())));
    }

    private void attempt(Stack stack, List<Change> changes) {
        if (!shown) {
            return;
        }
        try {
            documents.write(changes);
        } catch (StoreException e) {
            LOG.warn("The visible lock of stack {} could not be changed: {}", stack, e.getMessage());
        }
    }
}
