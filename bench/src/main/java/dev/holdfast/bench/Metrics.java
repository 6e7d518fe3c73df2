package dev.holdfast.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** What a server says of its own writes: how many batches, how many locks in them, and how long the store took. */
record Metrics(double writes, double rows, double seconds) {
    static Metrics of(int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics"))
                .build();
        String text = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return new Metrics(
                value(text, "holdfast_store_write_batch_size_count"),
                value(text, "holdfast_store_write_batch_size_sum"),
                value(text, "holdfast_store_duration_seconds_sum{operation=\"write\"}"));
    }

    private static double value(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    double rowsPerWrite(Metrics before) {
        return (rows - before.rows) / (writes - before.writes);
    }

    double secondsPerWrite(Metrics before) {
        return (seconds - before.seconds) / (writes - before.writes);
    }
}
