package dev.holdfast.guard.probe;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/**
 * One request and the code of its answer. Nothing after the status line is read, except past interim answers (1xx) to the real
 * one: neither long headers nor a long body reach us.
 */
final class Exchange {
    /** Room for some interim answers with their headers; the status line itself is a few dozen bytes. */
    static final int MOST_READ = 16 * 1024;

    private final ProbeConnection line;
    private final ByteBuffer read = ByteBuffer.allocate(MOST_READ);
    private int from; // where the answer that is being read begins

    Exchange(ProbeConnection line) {
        this.line = line;
    }

    /** The code of the answer. */
    CompletableFuture<Integer> ask(String method, ProbeUrl url) {
        String request = method + " " + url.path() + " HTTP/1.1\r\n"
                + "Host: " + url.hostHeader() + "\r\n"
                + "User-Agent: holdfast-guard\r\n"
                + "Accept: */*\r\n"
                + "Connection: close\r\n\r\n";
        return line.send(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)))
                .thenCompose(sent -> answer());
    }

    private CompletableFuture<Integer> answer() {
        try {
            int code = code();
            if (code > 0) {
                return CompletableFuture.completedFuture(code);
            }
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
        if (!read.hasRemaining()) {
            return CompletableFuture.failedFuture(
                    new IOException("no status line within the first " + MOST_READ + " bytes"));
        }
        return line.receive(read)
                .thenCompose(count -> count < 0
                        ? CompletableFuture.failedFuture(new EOFException("the server closed the line unanswered"))
                        : answer());
    }

    /** The code of the answer so far, or 0 if there is not enough of it. */
    private int code() throws IOException {
        String text = new String(read.array(), 0, read.position(), StandardCharsets.ISO_8859_1);
        while (true) {
            int end = text.indexOf('\n', from);
            if (end < 0) {
                int known = Math.min(5, text.length() - from);
                if (!text.startsWith("HTTP/".substring(0, known), from)) {
                    throw new IOException("the answer is not HTTP");
                }
                return 0;
            }
            int code = statusCode(text.substring(from, end));
            if (code >= 200) {
                return code;
            }
            int over = text.indexOf("\r\n\r\n", from);
            if (over < 0) {
                return 0;
            }
            from = over + 4;
        }
    }

    private static int statusCode(String statusLine) throws IOException {
        if (!statusLine.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?\r?")) {
            throw new IOException("the answer is not HTTP");
        }
        return Integer.parseInt(statusLine.substring(9, 12));
    }
}
