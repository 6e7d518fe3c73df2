package dev.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.keys.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the content of a document")
class ContentTest {
    @Test
    @DisplayName("has the SHA-256 of its bytes, made once for all changes that put it")
    void hashedOnce() {
        byte[] bytes = "some bytes".getBytes(StandardCharsets.UTF_8);
        Content content = Content.of(bytes);
        Change.Put first = Change.put("a", Condition.none(), content, Map.of());
        Change.Put second = Change.put("b", Condition.none(), content, Map.of());
        assertThat(first.content()).isSameAs(bytes);
        assertThat(first.sha256()).isEqualTo(Sha256.of(bytes)).isSameAs(second.sha256());
        assertThat(Change.put("c", Condition.none(), bytes, Map.of()).sha256()).isEqualTo(Sha256.of(bytes));
    }
}
