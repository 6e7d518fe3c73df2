package dev.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.Await;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.Scope;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the context of OpenTelemetry, with the line the documentation gives")
class OpenTelemetryContextTest {
    private static final ContextKey<String> TRACE = ContextKey.named("trace");

    private static String trace() {
        String trace = Context.current().get(TRACE);
        return trace == null ? "none" : trace;
    }

    @Test
    @DisplayName("is found by what follows an answer and by who is told of a loss, and left nowhere")
    void kept() throws Exception {
        ClientConfig config =
                ClientConfig.DEFAULT.withContext(task -> Context.current().wrap(task));
        try (LockClient client = LockClient.connect("memory:", config)) {
            Lease before = client.acquire("report");
            CompletableFuture<String> answered;
            CompletableFuture<Attempt<Lease>> asked;
            try (Scope scope = Context.current().with(TRACE, "order-1").makeCurrent()) {
                asked = client.acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(1)));
                answered = asked.thenApply(attempt -> trace());
            }
            before.release();
            assertThat(Await.get(answered)).isEqualTo("order-1");

            Lease lease = Await.get(asked).orThrow();
            CompletableFuture<String> lost = new CompletableFuture<>();
            try (Scope scope = Context.current().with(TRACE, "order-2").makeCurrent()) {
                lease.onLost(reason -> lost.complete(trace()));
            }
            client.inspect().forceUnlock(lease.key(), lease.token(), "test");
            assertThat(Await.get(lost)).isEqualTo("order-2");

            Lease again = client.acquire("report");
            CompletableFuture<String> later = client.acquireAsync("report", o -> o.waitUpTo(Duration.ofMinutes(1)))
                    .thenApply(attempt -> trace());
            again.release();
            assertThat(Await.get(later)).isEqualTo("none");
        }
    }
}
