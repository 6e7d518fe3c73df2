package dev.holdfast.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends bytes as they are, which no polite client would, and sees what comes back. */
final class RawClient implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 8_000;
    private static final Pattern STATUS = Pattern.compile("HTTP/\\d\\.\\d (\\d{3}) ");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: (\\d+)\r\n");

    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private final Socket socket = new Socket();

    RawClient(int port) throws IOException {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
    }

    /**
     * What came back.
     *
     * @param status of the first answer; 0 if the connection was closed without one
     * @param text everything
     */
    record Reaction(int status, String text) {
        int answers() {
            return (int) STATUS.matcher(text).results().count();
        }
    }

    /** Sends all of it, and waits for one answer, or the end of the connection. */
    static Reaction send(int port, byte[] bytes) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.write(bytes);
            return client.read(false);
        }
    }

    static Reaction send(int port, String latin) throws IOException {
        return send(port, latin.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Sends all of it, and waits for the end of the connection, whatever was answered. */
    static Reaction sendAndWaitForEnd(int port, String latin) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.write(latin.getBytes(StandardCharsets.ISO_8859_1));
            return client.read(true);
        }
    }

    /** Who is refused early may find the connection closed while it still sends. */
    void write(byte[] bytes) {
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (IOException e) {
            // what was answered is read next
        }
    }

    /** Reads that the body may come. */
    void awaitContinue() throws IOException {
        socket.setSoTimeout(PATIENCE_MILLIS);
        String text = new String(socket.getInputStream().readNBytes(CONTINUE.length()), StandardCharsets.ISO_8859_1);
        if (!text.equals(CONTINUE)) {
            throw new IOException("not told to continue: " + text);
        }
    }

    void noMore() {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            // closed already
        }
    }

    Reaction read(boolean toTheEnd) throws IOException {
        return read(toTheEnd, PATIENCE_MILLIS);
    }

    /** Reads one answer, or everything. A connection on which nothing happens any more is a hang. */
    Reaction read(boolean toTheEnd, int patienceMillis) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[] part = new byte[8_192];
        socket.setSoTimeout(patienceMillis);
        InputStream in = socket.getInputStream();
        try {
            for (int size = in.read(part); size >= 0; size = in.read(part)) {
                all.write(part, 0, size);
                if (!toTheEnd && isWhole(text(all))) {
                    break;
                }
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            // reset: closed, and not gently
        }
        String text = text(all);
        Matcher status = STATUS.matcher(text);
        return new Reaction(status.lookingAt() ? Integer.parseInt(status.group(1)) : 0, text);
    }

    private static boolean isWhole(String text) {
        if (text.startsWith(CONTINUE)) {
            return isWhole(text.substring(CONTINUE.length()));
        }
        int head = text.indexOf("\r\n\r\n");
        Matcher length = LENGTH.matcher(text);
        return head >= 0 && (!length.find() || text.length() >= head + 4 + Integer.parseInt(length.group(1)));
    }

    private static String text(ByteArrayOutputStream all) {
        return all.toString(StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
