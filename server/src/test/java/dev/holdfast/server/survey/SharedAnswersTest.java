package dev.holdfast.server.survey;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("answers that are shared")
class SharedAnswersTest {
    private final AtomicLong time = new AtomicLong();
    private final AtomicInteger found = new AtomicInteger();
    private final SharedAnswers<String, Integer> answers = new SharedAnswers<>(time::get);

    private CompletableFuture<Integer> ask(String question) {
        return answers.get(question, () -> CompletableFuture.completedFuture(found.incrementAndGet()));
    }

    private void pass(Duration some) {
        time.addAndGet(some.toNanos());
    }

    @Test
    @DisplayName("are good for a second, for the same question")
    void kept() {
        assertThat(ask("a").join()).isEqualTo(1);
        pass(Duration.ofMillis(999));
        assertThat(ask("a").join()).isEqualTo(1);
        assertThat(ask("b").join()).isEqualTo(2);
        pass(Duration.ofMillis(2));
        assertThat(ask("a").join()).isEqualTo(3);
    }

    @Test
    @DisplayName("are waited for together, and kept longer if they took long")
    void slow() {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        CompletableFuture<Integer> first = answers.get("a", () -> source);
        pass(Duration.ofSeconds(2));
        CompletableFuture<Integer> second = ask("a");
        assertThat(second).isNotDone();
        source.complete(7);
        assertThat(first.join()).isEqualTo(7);
        assertThat(second.join()).isEqualTo(7);
        pass(Duration.ofSeconds(7)); // it began 9 s ago, and took 2
        assertThat(ask("a").join()).isEqualTo(7);
        pass(Duration.ofSeconds(2));
        assertThat(ask("a").join()).isEqualTo(1);
    }

    @Test
    @DisplayName("that failed are not kept")
    void failed() {
        assertThat(answers.get("a", () -> CompletableFuture.failedFuture(new IllegalStateException())))
                .isCompletedExceptionally();
        assertThat(answers.get("a", () -> {
                    throw new IllegalStateException();
                }))
                .isCompletedExceptionally();
        assertThat(ask("a").join()).isEqualTo(1);
    }

    @Test
    @DisplayName("that took very long are not told for long, and what is too old to be told is not kept in memory")
    void old() {
        CompletableFuture<Integer> source = new CompletableFuture<>();
        CompletableFuture<Integer> first = answers.get("a", () -> source);
        pass(Duration.ofMinutes(1));
        source.complete(7);
        assertThat(first.join()).isEqualTo(7);
        pass(Duration.ofSeconds(14));
        assertThat(ask("a").join()).isEqualTo(7);
        assertThat(answers.size()).isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(ask("b").join()).isEqualTo(1);
        assertThat(answers.size()).as("the question of before is forgotten").isEqualTo(1);
        assertThat(ask("a").join()).isEqualTo(2);
    }

    @Test
    @DisplayName("are not waited for by others when the search for them broke down")
    void brokenDown() {
        assertThat(answers.get("a", () -> {
                    throw new StackOverflowError();
                }))
                .isCompletedExceptionally();
        assertThat(ask("a").join()).isEqualTo(1);
    }
}
