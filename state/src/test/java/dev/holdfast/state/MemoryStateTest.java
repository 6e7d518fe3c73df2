package dev.holdfast.state;

import org.junit.jupiter.api.DisplayName;

@DisplayName("state on documents in memory")
final class MemoryStateTest extends StateContract {
    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.memory();
    }
}
