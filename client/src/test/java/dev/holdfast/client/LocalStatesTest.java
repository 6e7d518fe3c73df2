package dev.holdfast.client;

import dev.holdfast.LockClient;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.state.StateManager;
import dev.holdfast.state.versions.StateConfig;
import org.junit.jupiter.api.AfterEach;

/** State in this process. */
class LocalStatesTest extends StateManagerContract {
    private final LockClient locks = LockClient.connect("memory:");
    private final StateManager states = StateManager.on(locks, new MemoryDocuments(), StateConfig.DEFAULT);

    @AfterEach
    void close() {
        states.close();
        locks.close();
    }

    @Override
    StateManager states() {
        return states;
    }

    @Override
    LockClient locks() {
        return locks;
    }
}
