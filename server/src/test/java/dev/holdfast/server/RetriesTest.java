package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.Await;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("two servers on one PostgreSQL that fight for a lock")
class RetriesTest {
    private static double retries(Client client) {
        return client.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("holdfast_store_retries_total"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** Shared holds: everybody is granted, and everybody writes. */
    private static void fight(Client client, String who, AtomicBoolean over) {
        for (int i = 0; !over.get(); i++) {
            String lease = "lease-" + who + "-" + i;
            assertThat(client.acquire("fought-for", lease, "\"mode\":\"shared\"")
                            .status())
                    .isEqualTo(200);
            assertThat(Client.outcome(client.release("fought-for", lease))).isEqualTo("released");
        }
    }

    @Test
    @DisplayName("try again when the other was faster, and count it (000.9)")
    void counted() {
        String store = Postgres.server().freshSchema();
        try (TestServer one = new Setup().store(store).start();
                TestServer two = new Setup().store(store).start()) {
            Client a = Client.of(one);
            Client b = Client.of(two);
            assertThat(retries(a) + retries(b)).isZero();
            AtomicBoolean over = new AtomicBoolean();
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> fight(a, "a", over));
            CompletableFuture<Void> second = CompletableFuture.runAsync(() -> fight(b, "b", over));
            try {
                Await.until("somebody tried again", () -> retries(a) + retries(b) > 0);
            } finally {
                over.set(true);
            }
            Await.get(first);
            Await.get(second);
        }
    }
}
