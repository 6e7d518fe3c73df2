package dev.holdfast.testkit.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A server that speaks S3 and keeps everything in memory: s3proxy, in a process of its own, gone when it is closed. Its check of a
 * condition and the write are two steps, unlike those of S3: only behind an {@link HttpFront} that lets one writer at a time to an object
 * does it do what S3 does. It checks no signatures.
 */
public final class S3Server implements AutoCloseable {
    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final int START_ATTEMPTS = 3;

    private final Process process;
    private final Path directory;
    private final int port;

    private S3Server(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    /** Starts one from the jar {@code org.gaul:s3proxy:jar-with-dependencies} and waits until it answers. */
    public static S3Server start(Path jar) {
        for (int attempt = 1; ; attempt++) {
            try {
                return startOnce(jar);
            } catch (IllegalStateException e) {
                if (attempt == START_ATTEMPTS) { // somebody else may have taken the port in between
                    throw e;
                }
            }
        }
    }

    private static S3Server startOnce(Path jar) {
        try {
            Path directory = Files.createTempDirectory("holdfast-s3");
            int port = Ports.free();
            Path settings = Files.writeString(
                    directory.resolve("s3proxy.conf"),
                    String.join(
                            "\n",
                            "s3proxy.endpoint=http://127.0.0.1:" + port,
                            "s3proxy.authorization=none",
                            "jclouds.provider=transient-nio2",
                            "jclouds.identity=nobody",
                            "jclouds.credential=nothing",
                            ""));
            Path logging = Files.writeString(
                    directory.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>\n");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx256m",
                            "-Dlogback.configurationFile=" + logging,
                            "-jar",
                            jar.toAbsolutePath().toString(),
                            "--properties",
                            settings.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("output").toFile())
                    .start();
            S3Server server = new S3Server(process, directory, port);
            server.awaitAnswer();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException("the S3 server did not start: " + e.getMessage(), e);
        }
    }

    private void awaitAnswer() throws IOException {
        long end = System.nanoTime() + START_LIMIT.toNanos();
        while (process.isAlive() && System.nanoTime() - end < 0) {
            try {
                status("GET", "/");
                return;
            } catch (IOException e) {
                pause();
            }
        }
        String output = Files.readString(directory.resolve("output"));
        close();
        throw new IllegalStateException("the S3 server did not answer on port " + port + ": " + output);
    }

    private static void pause() throws IOException {
        try {
            TimeUnit.MILLISECONDS.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private int status(String method, String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(20))
                .build();
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(request, HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    public int port() {
        return port;
    }

    /** The name of a new, empty bucket. */
    public String freshBucket() {
        String bucket = "fresh-" + UUID.randomUUID().toString().toLowerCase(Locale.ROOT);
        try {
            int status = status("PUT", "/" + bucket);
            if (status != 200) {
                throw new IllegalStateException("creating bucket " + bucket + " was answered " + status);
            }
            return bucket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        File[] files = directory.toFile().listFiles();
        for (File file : files == null ? new File[0] : files) {
            if (!file.delete()) {
                file.deleteOnExit();
            }
        }
        if (!directory.toFile().delete()) {
            directory.toFile().deleteOnExit();
        }
    }
}
