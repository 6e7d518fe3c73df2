package dev.holdfast.server.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waiting with a limit. */
final class Await {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private Await() {}

    static <T> T result(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    static void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(condition.getAsBoolean()).as(what).isTrue();
    }
}
