package dev.holdfast.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What costs much")
class MemoryPermitsTest {
    private final MemoryPermits costly = new MemoryPermits(3, 2);

    private CompletableFuture<String> begin(String caller) {
        CompletableFuture<String> work = new CompletableFuture<>();
        var unused = costly.run(caller, () -> work);
        return work;
    }

    private void assertBusy(String caller, String said) {
        assertThatExceptionOfType(Problem.Refused.class)
                .isThrownBy(() -> begin(caller))
                .withMessageContaining(said);
    }

    @Test
    @DisplayName("is done for so many of one caller, and so many in all; the rest are asked to come back")
    void bounded() {
        CompletableFuture<String> first = begin("anna");
        assertThat(begin("anna")).isNotDone();
        assertBusy("anna", "of this caller");
        assertThat(begin("bert")).isNotDone();
        assertBusy("cleo", "The server has too much to do");
        first.complete("done");
        assertThat(begin("cleo")).isNotDone();
        assertBusy("dora", "The server has too much to do");
    }

    @Test
    @DisplayName("gives its place back however it ends")
    void givenBack() {
        for (int i = 0; i < 10; i++) {
            begin("anna").completeExceptionally(new IllegalStateException("store"));
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> costly.run("anna", () -> {
                        throw new IllegalStateException("at once");
                    }));
        }
        assertThat(begin("anna")).isNotDone();
    }
}
