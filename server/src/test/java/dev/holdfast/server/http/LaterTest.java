package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what really failed")
class LaterTest {
    @Test
    @DisplayName("is found under any number of stages, and is itself where there is none")
    void cause() {
        IllegalStateException closed = new IllegalStateException("closed");
        assertThat(Later.cause(closed)).isSameAs(closed);
        assertThat(Later.cause(new CompletionException(closed))).isSameAs(closed);
        assertThat(Later.cause(new CompletionException(new CompletionException(closed))))
                .isSameAs(closed);
        CompletionException bare = new CompletionException("no more is known", null);
        assertThat(Later.cause(bare)).isSameAs(bare);
    }
}
