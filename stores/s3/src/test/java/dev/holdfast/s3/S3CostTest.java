package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Attempt;
import dev.holdfast.ClientConfig;
import dev.holdfast.Lease;
import dev.holdfast.LockClient;
import dev.holdfast.testkit.servers.HttpFront;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The numbers of the table in docs/stores/s3.md. */
@DisplayName("the requests to S3")
class S3CostTest {
    private final HttpFront front = new HttpFront(S3.server().port());
    private final String url = S3.url(front.port(), S3.server().freshBucket());
    private final List<String> asked = new ArrayList<>();

    S3CostTest() {
        front.through((request, server) -> {
            if (request.path().contains("counted")) { // not those for the clock, nor those that clean up
                synchronized (asked) {
                    asked.add(request.method());
                }
            }
            return Optional.of(server.send(request));
        });
    }

    @AfterEach
    void close() {
        front.close();
    }

    private List<String> requests() {
        synchronized (asked) {
            List<String> all = List.copyOf(asked);
            asked.clear();
            return all;
        }
    }

    private LockClient client() {
        return LockClient.on(S3Store.open(url, S3Config.DEFAULT), ClientConfig.DEFAULT);
    }

    @Test
    @DisplayName(
            "for an acquire are a GET and a PUT, for one of a lock just used a PUT, for a release a PUT, for one in vain a GET")
    void counted() throws Exception {
        try (LockClient one = client();
                LockClient two = client();
                LockClient three = client()) {
            TimeUnit.MILLISECONDS.sleep(
                    2_500); // by then all have looked for what is left over, and read what they found
            Lease lease = one.acquire("counted", o -> o.lease(Duration.ofMinutes(5)));
            assertThat(requests()).containsExactly("GET", "PUT");
            assertThat(two.tryAcquire("counted")).isInstanceOf(Attempt.Busy.class);
            assertThat(requests()).containsExactly("GET");
            lease.close();
            assertThat(requests()).containsExactly("PUT");
            lease = one.acquire("counted", o -> o.lease(Duration.ofMinutes(5)));
            assertThat(requests()).containsExactly("PUT");
            lease.close();
            assertThat(requests()).containsExactly("PUT");
            lease = three.acquire("counted", o -> o.lease(Duration.ofMinutes(5)));
            assertThat(lease.isValid()).isTrue();
            assertThat(requests()).containsExactly("GET", "PUT");
        }
    }
}
