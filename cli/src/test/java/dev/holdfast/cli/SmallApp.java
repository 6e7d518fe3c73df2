package dev.holdfast.cli;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;

/** An app in a process of its own: answers 200, or takes connections and never answers. */
public final class SmallApp implements AutoCloseable {
    private final String name;
    private final int port;
    private final boolean silent;
    private Process process;

    private SmallApp(String name, boolean silent) throws IOException {
        this.name = name;
        this.port = ServerProcess.freePort();
        this.silent = silent;
        this.process = launched();
    }

    public static SmallApp up(String name) throws IOException {
        return new SmallApp(name, false);
    }

    public static SmallApp blackHole(String name) throws IOException {
        return new SmallApp(name, true);
    }

    private Process launched() throws IOException {
        Process made = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        SmallApp.class.getName(),
                        Integer.toString(port),
                        Boolean.toString(silent))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (made.getInputStream().read() < 0) {
            throw new IllegalStateException("the app did not start");
        }
        return made;
    }

    public String name() {
        return name;
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Ends its process, as whoever runs it does. */
    public void down() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Starts its process again. */
    public void up() throws IOException {
        process = launched();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** The process: ends with whoever started it. */
    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        int port = Integer.parseInt(args[0]);
        if (Boolean.parseBoolean(args[1])) {
            try (ServerSocket hole = new ServerSocket(port, 50, here)) { // its backlog takes connections nobody accepts
                started();
            }
        } else {
            HttpServer server = HttpServer.create(new InetSocketAddress(here, port), 50);
            server.createContext("/", call -> {
                call.sendResponseHeaders(200, -1);
                call.close();
            });
            server.start();
            started();
        }
        System.exit(0);
    }

    private static void started() throws IOException {
        System.out.print('.');
        System.out.flush();
        System.in.read(); // ends when the starter ends
    }
}
