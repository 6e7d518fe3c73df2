package dev.holdfast.bench.soak;

import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The server under load: calls to it, and how long those took that are timed. Safe for any number of threads. */
final class SoakTarget {
    /** Longer than any wait that is asked for. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Times that are remembered between two samples: more would not change their quantiles. */
    private static final int MOST_TIMES = 10_000;

    private final String url;
    private final Optional<String> token;
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong failures = new AtomicLong();
    private final long[] times = new long[MOST_TIMES];
    private long timed;
    private volatile @Nullable String firstFailure;

    SoakTarget(String url, Optional<String> token) {
        this.url = url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
        this.token = token;
    }

    /** What came back. */
    record Answer(int status, Json json) {}

    String url() {
        return url;
    }

    long requests() {
        return requests.get();
    }

    long failures() {
        return failures.get();
    }

    Optional<String> firstFailure() {
        return Optional.ofNullable(firstFailure);
    }

    /** Something went otherwise than it must. */
    void failed(String what) {
        if (failures.getAndIncrement() == 0) {
            firstFailure = what;
        }
    }

    // ---- calls

    /** A call whose answer must have one of these statuses; any other is a failure that is counted, and the answer all the same. */
    Answer call(String method, String path, String body, Set<Integer> expected) throws InterruptedException {
        requests.incrementAndGet();
        try {
            HttpResponse<byte[]> answer = client.send(request(method, path, body), BodyHandlers.ofByteArray());
            Answer read = new Answer(answer.statusCode(), json(answer.body()));
            if (!expected.contains(read.status())) {
                failed(method + " " + path + " was answered " + read.status() + " "
                        + new String(answer.body(), StandardCharsets.UTF_8));
            }
            return read;
        } catch (IOException e) {
            failed(method + " " + path + " was not answered: " + e);
            return new Answer(0, Json.nil());
        }
    }

    Answer get(String path) throws InterruptedException {
        return call("GET", path, "", Set.of(200));
    }

    Answer timedCall(String method, String path, String body, Set<Integer> expected) throws InterruptedException {
        long start = System.nanoTime();
        Answer answer = call(method, path, body, expected);
        note((System.nanoTime() - start) / 1_000);
        return answer;
    }

    /** What the server says of itself in Prometheus' format; empty if it does not. */
    Optional<String> metrics() throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.send(request("GET", "/metrics", ""), BodyHandlers.ofByteArray());
            return answer.statusCode() == 200
                    ? Optional.of(new String(answer.body(), StandardCharsets.UTF_8))
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    boolean isReady() throws InterruptedException {
        try {
            return client.send(request("GET", "/health/ready", ""), BodyHandlers.discarding())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /** The stream of events after a number; whoever asks closes it. */
    InputStream events(long after) throws IOException, InterruptedException {
        HttpRequest request = builder("/v2/events")
                .header("Last-Event-ID", Long.toString(after))
                .timeout(PATIENCE)
                .GET()
                .build();
        HttpResponse<InputStream> answer = client.send(request, BodyHandlers.ofInputStream());
        if (answer.statusCode() != 200) {
            answer.body().close();
            throw new IOException("/v2/events was answered " + answer.statusCode());
        }
        return answer.body();
    }

    private HttpRequest request(String method, String path, String body) {
        HttpRequest.Builder request = builder(path).timeout(PATIENCE);
        return body.isEmpty()
                ? request.method(method, BodyPublishers.noBody()).build()
                : request.header("Content-Type", "application/json")
                        .method(method, BodyPublishers.ofString(body))
                        .build();
    }

    private HttpRequest.Builder builder(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private static Json json(byte[] body) {
        return (body.length > 0 && body[0] == '{') ? Json.parse(body) : Json.nil();
    }

    // ---- times

    private synchronized void note(long micros) {
        times[(int) (timed++ % MOST_TIMES)] = micros;
    }

    /** The median and the 99 % of the times since the last question, in microseconds; empty if there are none. */
    synchronized Optional<double[]> takeTimes() {
        int count = (int) Math.min(timed, MOST_TIMES);
        timed = 0;
        if (count == 0) {
            return Optional.empty();
        }
        long[] sorted = Arrays.copyOf(times, count);
        Arrays.sort(sorted);
        return Optional.of(new double[] {sorted[count / 2], sorted[Math.min(count - 1, count * 99 / 100)]});
    }
}
