package dev.holdfast.cli;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import dev.holdfast.testkit.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;

/** An app in a process of its own: answers 200, or takes connections and never answers. */
public final class SmallApp implements AutoCloseable {
    private final String name;
    private final int port;
    private final boolean silent;
    private JavaProcess process;

    private SmallApp(String name, boolean silent) {
        this.name = name;
        this.port = Ports.free();
        this.silent = silent;
        this.process = launched();
    }

    public static SmallApp up(String name) {
        return new SmallApp(name, false);
    }

    public static SmallApp blackHole(String name) {
        return new SmallApp(name, true);
    }

    private JavaProcess launched() {
        JavaProcess made =
                JavaProgram.of(SmallApp.class).heap("32m").start(Integer.toString(port), Boolean.toString(silent));
        made.awaitLine("up");
        return made;
    }

    public String name() {
        return name;
    }

    public String url() {
        return "http://127.0.0.1:" + port + "/";
    }

    /** Ends its process, as whoever runs it does. */
    public void down() {
        process.kill();
    }

    /** Starts its process again. */
    public void up() {
        process = launched();
    }

    @Override
    public void close() {
        process.close();
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
        System.out.println("up");
        System.in.read(); // ends when the starter ends
    }
}
