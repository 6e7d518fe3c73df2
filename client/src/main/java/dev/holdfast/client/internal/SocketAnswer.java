package dev.holdfast.client.internal;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * An answer as HTTP/1.1 writes it: a status, headers, and a body that ends where its length, its last chunk or the connection
 * does. Whatever is not written like that is refused: half an answer must never pass for a whole one.
 *
 * @param statusCode of the answer itself, after any 1xx before it
 * @param headers as they came
 * @param body its bytes; fails if the connection ends too early
 * @param isDelimited whether the end of the body can be told without the end of the connection, and the server lets that go on
 * @param in what it is read from
 */
record SocketAnswer(int statusCode, HttpHeaders headers, InputStream body, boolean isDelimited, BufferedInputStream in)
        implements ResponseInfo {
    /** More than any server of ours sends; a proxy may add some. */
    private static final int MAX_HEAD = 64 * 1024;

    private static final int SWITCHING_PROTOCOLS = 101;

    @Override
    public Version version() {
        return Version.HTTP_1_1;
    }

    static SocketAnswer read(InputStream from, String method) throws IOException {
        BufferedInputStream in = new BufferedInputStream(from, 8 * 1024);
        Head head = new Head(in);
        int status = head.status();
        HttpHeaders headers = head.headers();
        while (status < 200 && status != SWITCHING_PROTOCOLS) { // hints before the answer itself
            status = head.status();
            headers = head.headers();
        }
        if (status == SWITCHING_PROTOCOLS) {
            throw new ProtocolException("the server wants to speak another protocol");
        }
        InputStream body = body(in, method, status, headers);
        boolean goesOn = head.isNew()
                && headers.allValues("Connection").stream()
                        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
        return new SocketAnswer(status, headers, body, body != in && goesOn, in);
    }

    /** When the body was read to its end: whether another request may follow on the same connection. */
    boolean leavesConnection() throws IOException {
        return isDelimited && in.available() == 0;
    }

    private static InputStream body(InputStream in, String method, int status, HttpHeaders headers) throws IOException {
        if (method.equals("HEAD") || status == 204 || status == 304) {
            return InputStream.nullInputStream();
        }
        List<String> codings = headers.allValues("Transfer-Encoding");
        if (!codings.isEmpty()) {
            if (codings.size() != 1 || !codings.get(0).toLowerCase(Locale.ROOT).equals("chunked")) {
                throw new ProtocolException("the answer has an unknown encoding: " + codings);
            }
            return new Chunks(in);
        }
        List<String> lengths =
                headers.allValues("Content-Length").stream().distinct().toList();
        if (lengths.isEmpty()) {
            return in;
        }
        return new CountedBody(in, number(lengths.size() == 1 ? lengths.get(0) : "", 10));
    }

    private static long number(String text, int radix) throws IOException {
        // Digits only, and not more than fit: "+5" and "-1" are no lengths, though Java reads them.
        if (!text.matches("[0-9a-fA-F]{1,15}")) {
            throw new ProtocolException("the answer has no valid length");
        }
        try {
            return Long.parseLong(text, radix);
        } catch (NumberFormatException e) {
            throw new ProtocolException("the answer has no valid length");
        }
    }

    private static EOFException ended(String where) {
        return new EOFException("EOF " + where);
    }

    /** The lines before a body. */
    private static final class Head {
        private final InputStream in;
        private int length;
        private boolean isNew;

        Head(InputStream in) {
            this.in = in;
        }

        /** Whether it was HTTP/1.1, where connections go on unless it is said otherwise. */
        boolean isNew() {
            return isNew;
        }

        int status() throws IOException {
            String line = line();
            isNew = line.startsWith("HTTP/1.1");
            // HTTP/1.1 200 OK
            if (!line.matches("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?")) {
                throw new ProtocolException("the answer is not HTTP/1.1");
            }
            return Integer.parseInt(line.substring(9, 12));
        }

        HttpHeaders headers() throws IOException {
            Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                if (colon <= 0 || line.charAt(0) == ' ' || line.charAt(colon - 1) == ' ') {
                    throw new ProtocolException("the answer has an invalid header");
                }
                headers.computeIfAbsent(line.substring(0, colon), name -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
            return HttpHeaders.of(headers, (name, value) -> true);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder(80);
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw ended(length == 0 ? "before an answer" : "in the headers");
                }
                if (++length > MAX_HEAD) {
                    throw new ProtocolException("the headers of the answer are longer than " + MAX_HEAD + " bytes");
                }
                line.append((char) next); // ISO 8859-1, one byte each
            }
            boolean carriage = line.length() > 0 && line.charAt(line.length() - 1) == '\r';
            return carriage ? line.substring(0, line.length() - 1) : line.toString();
        }
    }

    /** What is read in blocks; a single byte is a block of one. */
    abstract static class BlockInput extends InputStream {
        @Override
        public final int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public abstract int read(byte[] bytes, int offset, int length) throws IOException;
    }

    /** As many bytes as were announced. */
    private static final class CountedBody extends BlockInput {
        private final InputStream in;
        private long left;

        CountedBody(InputStream in, long length) {
            this.in = in;
            this.left = length;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (left == 0) {
                return -1;
            }
            int count = in.read(bytes, offset, (int) Math.min(length, left));
            if (count < 0) {
                throw ended("with " + left + " bytes of the answer missing");
            }
            left -= count;
            return count;
        }
    }

    /** Chunks, each with its length before it; the last has none. */
    private static final class Chunks extends BlockInput {
        private static final int MAX_LINE = 4 * 1024;

        private final InputStream in;
        private CountedBody chunk;
        private boolean first = true;
        private boolean last;

        Chunks(InputStream in) {
            this.in = in;
            this.chunk = new CountedBody(in, 0);
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (!last) {
                int count = chunk.read(bytes, offset, length);
                if (count >= 0) {
                    return count;
                }
                next();
            }
            return -1;
        }

        private void next() throws IOException {
            if (!first && !line().isEmpty()) {
                throw new ProtocolException("a chunk of the answer is longer than it says");
            }
            first = false;
            long size = number(line().replaceFirst("\\s*(;.*)?$", ""), 16);
            chunk = new CountedBody(in, size);
            if (size == 0) {
                last = true;
                while (!line().isEmpty()) {} // headers after the body, which nobody asked for
            }
        }

        private String line() throws IOException {
            byte[] line = new byte[MAX_LINE];
            int length = 0;
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw ended("between two chunks of the answer");
                }
                if (length == MAX_LINE) {
                    throw new ProtocolException("a line between two chunks of the answer is too long");
                }
                line[length++] = (byte) next;
            }
            boolean carriage = length > 0 && line[length - 1] == '\r';
            return new String(line, 0, carriage ? length - 1 : length, StandardCharsets.ISO_8859_1);
        }
    }
}
