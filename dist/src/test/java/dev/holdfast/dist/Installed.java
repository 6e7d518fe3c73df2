package dev.holdfast.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/**
 * A holdfast that was installed somewhere, used from the outside as a person would: by its launcher.
 *
 * @param launcher what is called
 * @param home of the user who calls it
 * @param as what comes before the launcher, such as the change to another user
 */
record Installed(Path launcher, Path home, List<String> as) {
    /** A JVM on a crowded machine may need this long. */
    static final Duration LIMIT = Duration.ofMinutes(2);

    /** What a command said, and how it ended. */
    record Said(int code, String out, String err) {
        /** It must have worked, without a word beside what was asked for. */
        String quietly() {
            assertThat(err).isEmpty();
            assertThat(code).isZero();
            return out;
        }
    }

    static Installed at(Path launcher, Path home) {
        return new Installed(launcher, home, List.of());
    }

    Said run(String... args) throws IOException, InterruptedException {
        return run(Map.of(), args);
    }

    /** With more variables; those with an empty value are unset. */
    Said run(Map<String, String> variables, String... args) throws IOException, InterruptedException {
        Path out = Files.createTempFile("holdfast", "out");
        Path err = Files.createTempFile("holdfast", "err");
        try {
            Process process = builder(variables, args)
                    .redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            int code = ended(process);
            return new Said(code, Files.readString(out), Files.readString(err));
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    /** A server on this port, which is ready; the caller ends it. */
    Process serve(int port, Path data) throws IOException, InterruptedException {
        Path log = data.resolveSibling(data.getFileName() + ".log");
        Process server = builder(Map.of(), "serve", "--port=" + port, "--data=" + data)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        Instant limit = Instant.now().plus(LIMIT);
        while (!listens(port) || run("health", "--server", url(port)).code() != 0) {
            if (!server.isAlive() || Instant.now().isAfter(limit)) {
                server.destroyForcibly();
                throw new AssertionError("the server is not ready: " + Files.readString(log));
            }
        }
        return server;
    }

    /** Asked first: each command is a JVM, and would only make the server start later. */
    private static boolean listens(int port) throws InterruptedException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            TimeUnit.MILLISECONDS.sleep(20); // nobody is there yet
            return false;
        }
    }

    static String url(int port) {
        return "http://127.0.0.1:" + port;
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private ProcessBuilder builder(Map<String, String> variables, String... args) {
        List<String> command = new ArrayList<>(as);
        command.add(launcher.toString());
        command.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("HOLDFAST_") || name.startsWith("XDG_"));
        environment.keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"));
        environment.put("CI", "true"); // or an archive would be made while the test goes on and deletes its directory
        environment.put("HOME", home.toString());
        environment.put("JAVA_HOME", System.getProperty("java.home"));
        new TreeMap<>(variables).forEach((name, value) -> {
            if (value.isEmpty()) {
                environment.remove(name);
            } else {
                environment.put(name, value);
            }
        });
        return builder;
    }

    /** Runs a tool of the machine, and gives what it said; skips the test if there is no such tool. */
    static Said tool(String... command) throws IOException, InterruptedException {
        return tool(List.of(command));
    }

    static Said tool(List<String> command) throws IOException, InterruptedException {
        Assumptions.assumeTrue(exists(command.get(0)), "there is no " + command.get(0) + " on this machine");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Said(ended(process), said, "");
    }

    static boolean exists(String tool) {
        for (String directory : (System.getenv("PATH") + ":/usr/sbin:/sbin").split(":", -1)) {
            if (Files.isExecutable(Path.of(directory, tool))) {
                return true;
            }
        }
        return false;
    }

    private static int ended(Process process) throws InterruptedException {
        if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("it did not end");
        }
        return process.exitValue();
    }
}
