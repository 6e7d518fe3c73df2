package dev.holdfast.guard.probe;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An app as a probe meets it, down to the bytes: what it does with a connection is the test's. */
final class AppServer implements AutoCloseable {
    /** What is done with one connection; it is closed afterwards. */
    interface Behaviour {
        void serve(Socket socket, String request) throws Exception;
    }

    final List<String> requests = new CopyOnWriteArrayList<>();
    final AtomicInteger connections = new AtomicInteger();
    private final ServerSocket socket;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private AppServer(ServerSocket socket, Behaviour behaviour) {
        this.socket = socket;
        threads.execute(() -> accept(behaviour));
    }

    static AppServer that(Behaviour behaviour) throws IOException {
        return on(new ServerSocket(0, 500, InetAddress.getLoopbackAddress()), behaviour);
    }

    static AppServer on(ServerSocket socket, Behaviour behaviour) {
        return new AppServer(socket, behaviour);
    }

    /** Answers every request with this, as it stands. */
    static AppServer answering(String head) throws IOException {
        return that((socket, request) -> socket.getOutputStream().write(head.getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Takes connections and says nothing. */
    static AppServer blackHole() throws IOException {
        return that((socket, request) -> {
            while (socket.getInputStream().read() >= 0) {
                // Only the other side ends this.
            }
        });
    }

    URI url() {
        return url("127.0.0.1");
    }

    URI url(String host) {
        return URI.create("http://" + host + ":" + port() + "/");
    }

    int port() {
        return socket.getLocalPort();
    }

    private void accept(Behaviour behaviour) {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                connections.incrementAndGet();
                open.add(accepted);
                threads.execute(() -> serve(accepted, behaviour));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket accepted, Behaviour behaviour) {
        try (accepted) {
            String request = head(accepted.getInputStream());
            requests.add(request);
            behaviour.serve(accepted, request);
        } catch (Exception e) {
            // The probe went away, which it may.
        } finally {
            open.remove(accepted);
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                break;
            }
            text.append((char) next);
        }
        return text.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket each : open) {
            each.close();
        }
        threads.shutdownNow();
    }
}
