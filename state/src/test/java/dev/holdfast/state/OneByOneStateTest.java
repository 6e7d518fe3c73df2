package dev.holdfast.state;

import org.junit.jupiter.api.DisplayName;

@DisplayName("state on documents that are written one by one")
final class OneByOneStateTest extends StateContract {
    @Override
    DocumentsFixture documents() {
        return DocumentsFixture.oneByOne();
    }
}
