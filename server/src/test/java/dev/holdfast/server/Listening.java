package dev.holdfast.server;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One who listens to the event stream, on a connection of its own that can be dropped at any time. */
final class Listening implements AutoCloseable {
    private final Socket socket;
    private final BlockingQueue<Json> heard = new LinkedBlockingQueue<>();

    /** Asks for the stream; it is open when the constructor returns, but may not hear everything yet. */
    Listening(Client client, String query) {
        URI url = URI.create(client.url());
        try {
            socket = new Socket(url.getHost(), url.getPort());
            String request = "GET /v2/events" + query + " HTTP/1.1\r\nHost: " + url.getHost() + "\r\n"
                    + client.authorization()
                            .map(header -> "Authorization: " + header + "\r\n")
                            .orElse("") + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            BufferedReader lines =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            String status = lines.readLine();
            if (status == null || !status.startsWith("HTTP/1.1 200")) {
                throw new IOException("refused: " + status);
            }
            Thread reader = new Thread(() -> read(lines), "listening");
            reader.setDaemon(true);
            reader.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each event is a chunk, so the lines between chunks are the only ones that are not its own. */
    private void read(BufferedReader lines) {
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ")) {
                    heard.add(Json.of(line.substring("data: ".length())));
                }
            }
        } catch (IOException e) {
            // the test has ended
        }
    }

    /** The next event; null if none comes within a moment. */
    @Nullable Json soon() {
        return poll(500);
    }

    /** The next event. */
    Json next() {
        Json event = poll(20_000);
        if (event == null) {
            throw new AssertionError("no event came");
        }
        return event;
    }

    private @Nullable Json poll(int millis) {
        try {
            return heard.poll(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
