package dev.holdfast.dynamodb;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A request or an answer of HTTP/1.1 whose length is told.
 *
 * @param head its lines, without the body
 * @param body what follows, one character per byte
 */
public record Message(List<String> head, String body) {
    private static final DateTimeFormatter DATE = DateTimeFormatter.RFC_1123_DATE_TIME;

    public static Message read(InputStream in) throws IOException {
        List<String> head = new ArrayList<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            head.add(line);
        }
        Message message = new Message(head, "");
        if (!message.header("Transfer-Encoding").isEmpty()) {
            throw new IOException("a message in chunks is not understood here");
        }
        String length = message.header("Content-Length");
        byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
        return new Message(head, new String(body, StandardCharsets.ISO_8859_1));
    }

    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException();
            }
            if (next != '\r') {
                line.write(next);
            }
        }
        return line.toString(StandardCharsets.ISO_8859_1);
    }

    /** What DynamoDB says when it does not do what was asked. */
    public static Message error(int status, String type) {
        String body = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + type + "\",\"message\":\"by the test\"}";
        return new Message(
                List.of(
                        "HTTP/1.1 " + status + " By The Test",
                        "Content-Type: application/x-amz-json-1.0",
                        "Date: " + DATE.format(ZonedDateTime.now(ZoneOffset.UTC)),
                        "Content-Length: " + body.length()),
                body);
    }

    /** The value of a header; empty if there is none. */
    public String header(String name) {
        String start = name.toLowerCase(Locale.ROOT) + ":";
        return head.stream()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(start))
                .map(line -> line.substring(start.length()).trim())
                .findFirst()
                .orElse("");
    }

    /** The same, telling another time. */
    public Message shifted(Duration by) {
        List<String> other = head.stream()
                .map(line -> line.toLowerCase(Locale.ROOT).startsWith("date:")
                        ? "Date: "
                                + DATE.format(ZonedDateTime.parse(header("Date"), DATE)
                                        .plus(by))
                        : line)
                .toList();
        return new Message(other, body);
    }

    public void write(Socket to) throws IOException {
        String all = String.join("\r\n", head) + "\r\n\r\n" + body;
        to.getOutputStream().write(all.getBytes(StandardCharsets.ISO_8859_1));
        to.getOutputStream().flush();
    }
}
