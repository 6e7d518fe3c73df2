package dev.holdfast.state;

import dev.holdfast.LockClient;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.state.versions.StateConfig;
import dev.holdfast.testkit.documents.EncryptedFixture;
import org.junit.jupiter.api.DisplayName;

@DisplayName("encrypted state on documents in memory")
final class EncryptedMemoryStateTest extends StateContract {
    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.memory();
    }

    @Override
    StateManager manager(LockClient with, DocumentStore on) {
        return StateManager.on(with, on, StateConfig.DEFAULT.withClock(clock()).withKeys(EncryptedFixture.keys('a')));
    }
}
