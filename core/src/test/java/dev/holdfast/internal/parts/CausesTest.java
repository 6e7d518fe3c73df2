package dev.holdfast.internal.parts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what really failed")
class CausesTest {
    @Test
    @DisplayName("is found under any number of stages, and is itself where there is none")
    void cause() {
        IllegalStateException closed = new IllegalStateException("closed");
        assertThat(Causes.of(closed)).isSameAs(closed);
        assertThat(Causes.of(new CompletionException(closed))).isSameAs(closed);
        assertThat(Causes.of(new CompletionException(new CompletionException(closed))))
                .isSameAs(closed);
        CompletionException bare = new CompletionException("no more is known", null);
        assertThat(Causes.of(bare)).isSameAs(bare);
    }
}
