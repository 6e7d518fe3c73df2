package dev.holdfast.bench;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.testkit.process.JavaProcess;
import dev.holdfast.testkit.process.JavaProgram;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.Executors;

/** Apps that answer 200, and one that never answers, in a process of their own: what they cost is not the server's. */
record AnsweringApps(JavaProcess process, int port, int silentPort) implements AutoCloseable {
    static AnsweringApps start() {
        JavaProcess process =
                JavaProgram.of(AnsweringApps.class).withAllCompilers().start();
        String ports = process.next();
        int blank = ports.indexOf(' ');
        return new AnsweringApps(
                process, Integer.parseInt(ports.substring(0, blank)), Integer.parseInt(ports.substring(blank + 1)));
    }

    /** One of any number of apps. */
    String url(int number) {
        return "http://127.0.0.1:" + port + "/" + number;
    }

    /** The one that never answers. */
    String silent() {
        return "http://127.0.0.1:" + silentPort + "/";
    }

    @Override
    public void close() {
        process.close();
    }

    /** The process: ends with whoever started it. */
    public static void main(String[] args) throws IOException {
        InetAddress here = InetAddress.getLoopbackAddress();
        HttpServer server = HttpServer.create(new InetSocketAddress(here, 0), 1_000);
        server.createContext("/", call -> {
            call.sendResponseHeaders(200, -1);
            call.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.start();
        try (ServerSocket silent = new ServerSocket(0, 1_000, here)) { // its backlog takes connections nobody accepts
            System.out.println(server.getAddress().getPort() + " " + silent.getLocalPort());
            System.in.read(); // ends when the starter ends
        }
        System.exit(0);
    }
}
