package dev.holdfast.testkit.process;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A server in a process of its own, and calls to it; killed at the end of the test if it still runs. */
public final class ServerProcess implements AutoCloseable {
    private static final String LISTENING = "listening ";

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final JavaProcess process;
    private final int port;

    private ServerProcess(JavaProcess process, int port) {
        this.process = process;
        this.port = port;
    }

    /** Starts a server that was told to listen here; it may take a while to be {@link #ready}. */
    public static ServerProcess on(int port, JavaProgram program, String... arguments) {
        return new ServerProcess(program.start(arguments), port);
    }

    /** Starts a program that calls {@link #serve}; returns when it listens. */
    public static ServerProcess start(JavaProgram program, String... arguments) {
        JavaProcess process = program.start(arguments);
        return new ServerProcess(
                process, Integer.parseInt(process.awaitLine(LISTENING).substring(LISTENING.length())));
    }

    /** In the other process: says that it listens, and returns when whoever started it is gone. */
    public static void serve(int port) throws IOException {
        System.out.println(LISTENING + port);
        System.in.read();
    }

    /** Waits until it is ready. */
    public ServerProcess ready() throws InterruptedException {
        long end = System.nanoTime() + JavaProcess.LIMIT.toNanos();
        while (!isReady()) {
            if (!process.runs() || System.nanoTime() - end > 0) {
                throw new AssertionError("does not get ready: " + this);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return this;
    }

    private boolean isReady() throws InterruptedException {
        try {
            return get("/health/ready").statusCode() == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        }
    }

    public int port() {
        return port;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url() + path)).timeout(Duration.ofSeconds(60));
    }

    /** Asks for this path. */
    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return CLIENT.send(posting(path, json), BodyHandlers.ofString());
    }

    /** Sends JSON, for an answer that may take long. */
    public CompletableFuture<HttpResponse<String>> postLater(String path, String json) {
        return CLIENT.sendAsync(posting(path, json), BodyHandlers.ofString());
    }

    private HttpRequest posting(String path, String json) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
    }

    /** The value of a field, wherever it is in the answer. */
    public static String field(HttpResponse<String> answer, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"?([^\",}\\]]*)").matcher(answer.body());
        if (!found.find()) {
            throw new AssertionError("no '" + name + "' in " + answer.statusCode() + " " + answer.body());
        }
        return found.group(1);
    }

    /** As {@link JavaProcess#signal}. */
    public void signal(String name) {
        process.signal(name);
    }

    /** Waits for its end: the exit code. */
    public int exit() {
        return process.exit();
    }

    /** All it printed so far. */
    public String output() {
        return process.output();
    }

    /** As {@code kill -9}: nothing is said, nothing is written any more. */
    public void kill() {
        process.kill();
    }

    /** The same: what it started goes on, as after a crash. */
    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return "server on " + port + ": " + process;
    }
}
