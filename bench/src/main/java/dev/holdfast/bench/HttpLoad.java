package dev.holdfast.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Loads an HTTP server from one thread: a fixed number of connections that stay open, each with one request under way. Costs
 * little itself, so that the server is measured, not the loader.
 */
public final class HttpLoad {
    private static final int MAX_SAMPLES = 2_000_000;

    /** What one connection sends, one request after the other. */
    public interface Script {
        /** The next request of this connection, whole. */
        byte[] next();

        /** What was answered to it; throws if that is not what should be. */
        void answered(int status);
    }

    private final int port;
    private final List<Connection> connections = new ArrayList<>();
    private final long[] samples = new long[MAX_SAMPLES];
    private int taken;
    private long done;

    private HttpLoad(int port) {
        this.port = port;
    }

    /** Loads for this long, after a warm-up of the same length. */
    public static Load.Rate run(int port, List<? extends Script> scripts, Duration warmUp, Duration time)
            throws IOException {
        HttpLoad load = new HttpLoad(port);
        try (Selector selector = Selector.open()) {
            for (Script script : scripts) {
                load.connections.add(load.new Connection(selector, script));
            }
            load.loop(selector, warmUp);
            load.taken = 0;
            load.done = 0;
            long start = System.nanoTime();
            load.loop(selector, time);
            double seconds = (System.nanoTime() - start) / 1e9;
            load.drain(selector);
            for (Connection connection : load.connections) {
                connection.channel.close();
            }
            return load.result(seconds);
        }
    }

    private void loop(Selector selector, Duration time) throws IOException {
        long end = System.nanoTime() + time.toNanos();
        for (Connection connection : connections) {
            if (!connection.underWay) {
                connection.send();
            }
        }
        while (System.nanoTime() < end) {
            selector.select(this::readable, 100);
        }
    }

    private void readable(SelectionKey key) {
        Connection connection = (Connection) key.attachment();
        if (connection.read()) {
            connection.send();
        }
    }

    /** Answers still on their way are waited for, so that nothing is left held. */
    private void drain(Selector selector) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (connections.stream().anyMatch(c -> c.underWay) && System.nanoTime() < end) {
            selector.select(key -> ((Connection) key.attachment()).read(), 100);
        }
    }

    private Load.Rate result(double seconds) {
        long[] sorted = Arrays.copyOf(samples, taken);
        Arrays.sort(sorted);
        return new Load.Rate(done / seconds, Load.percentile(sorted, 0.50), Load.percentile(sorted, 0.99));
    }

    private final class Connection {
        private final SocketChannel channel;
        private final Script script;
        private final ByteBuffer in = ByteBuffer.allocate(64 << 10);
        private boolean underWay;
        private long sentAt;

        Connection(Selector selector, Script script) throws IOException {
            this.script = script;
            channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void send() {
            ByteBuffer out = ByteBuffer.wrap(script.next());
            sentAt = System.nanoTime();
            underWay = true;
            try {
                while (out.hasRemaining()) {
                    channel.write(out); // small requests into an empty socket: goes at once
                }
            } catch (IOException e) {
                throw closed(e);
            }
        }

        /** Whether a whole answer has come. */
        boolean read() {
            try {
                if (channel.read(in) < 0) {
                    throw new EOFException("end of stream");
                }
            } catch (IOException e) {
                throw closed(e);
            }
            int end = answerEnd();
            if (end < 0) {
                return false;
            }
            int status = (in.get(9) - '0') * 100 + (in.get(10) - '0') * 10 + in.get(11) - '0';
            in.clear();
            if (taken < MAX_SAMPLES) {
                samples[taken++] = System.nanoTime() - sentAt;
            }
            done++;
            underWay = false;
            script.answered(status);
            return true;
        }

        private static IllegalStateException closed(IOException e) {
            return new IllegalStateException("The server closed a connection: " + e.getMessage(), e);
        }

        private int answerEnd() {
            int size = in.position();
            for (int i = 3; i < size; i++) {
                if (in.get(i) == '\n' && in.get(i - 1) == '\r' && in.get(i - 2) == '\n') {
                    int end = i + 1 + length(i);
                    return size >= end ? end : -1;
                }
            }
            return -1;
        }

        private int length(int headEnd) {
            String head = new String(in.array(), 0, headEnd, StandardCharsets.ISO_8859_1);
            int at = head.indexOf("content-length: ");
            return at < 0 ? 0 : Integer.parseInt(head, at + 16, head.indexOf('\r', at), 10);
        }
    }

    /** The bytes of a POST with a JSON body. */
    public static byte[] post(String path, String json) {
        return ("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
                        + json.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + json)
                .getBytes(StandardCharsets.UTF_8);
    }
}
