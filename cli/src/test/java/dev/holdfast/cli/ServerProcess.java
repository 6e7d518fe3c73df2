package dev.holdfast.cli;

import dev.holdfast.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code holdfast serve} as a process of its own; killed at the end of the test if it still runs. */
public final class ServerProcess implements AutoCloseable {
    /** A JVM on a crowded machine may need this long to start. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();

    private final int port;
    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Thread reader = new Thread(this::read);

    private ServerProcess(int port, Process process) {
        this.port = port;
        this.process = process;
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts one in this directory, on a port that is free. */
    public static ServerProcess start(Path directory, Map<String, String> environment, String... flags) {
        return start(freePort(), directory, environment, flags);
    }

    public static ServerProcess start(int port, Path directory, Map<String, String> environment, String... flags) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Main.class.getName(),
                "serve",
                "--port=" + port));
        command.addAll(List.of(flags));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).directory(directory.toFile());
        builder.environment().putAll(environment);
        try {
            return new ServerProcess(port, builder.start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                lines.add(line);
            }
        } catch (IOException e) {
            lines.add("output cannot be read: " + e); // shows up in what the test compares
        }
    }

    /** Waits until it is ready. */
    public ServerProcess ready() throws InterruptedException {
        long end = System.nanoTime() + START.toNanos();
        while (!isReady()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                throw new AssertionError("does not get ready: " + this);
            }
            TimeUnit.MILLISECONDS.sleep(20);
        }
        return this;
    }

    private boolean isReady() throws InterruptedException {
        try {
            return CLIENT.send(request("/health/ready").build(), BodyHandlers.ofString())
                            .statusCode()
                    == 200;
        } catch (IOException e) {
            return false; // nobody listens yet
        }
    }

    public int port() {
        return port;
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(START);
    }

    public HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return CLIENT.send(request(path).build(), BodyHandlers.ofString());
    }

    public HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return CLIENT.send(posting(path, json), BodyHandlers.ofString());
    }

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

    /** {@code TERM} as an orchestrator asks to end, {@code KILL} as a crash. */
    public void signal(String name) throws IOException, InterruptedException {
        int result = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (result != 0) {
            throw new AssertionError("kill -" + name + " failed for " + this);
        }
    }

    /** Waits for its end; the exit code. */
    public int exit() throws InterruptedException {
        if (!process.waitFor(START.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("does not end: " + this);
        }
        reader.join(Await.LIMIT.toMillis());
        return process.exitValue();
    }

    /** All it printed so far. */
    public String output() {
        return String.join("\n", lines);
    }

    @Override
    public void close() {
        process.toHandle().destroyForcibly(); // by its handle: the process object would close the output too
        process.onExit().join();
    }

    @Override
    public String toString() {
        return "server on " + port + (process.isAlive() ? " (runs)\n" : " (ended)\n") + output();
    }
}
