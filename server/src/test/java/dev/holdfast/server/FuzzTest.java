package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.RawClient.Reaction;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Good requests, damaged at random. The seed is in the message of a failure; -Dholdfast.fuzz.seed repeats it. */
@DisplayName("Damaged requests")
class FuzzTest {
    private static final int REQUESTS = Integer.getInteger("holdfast.fuzz.requests", 2_000);
    private static final int AT_ONCE = 16;
    /** Longer than any answer takes; who waits for the rest of a request is told that none comes. */
    private static final int QUIET_MILLIS = 400;

    private static final Pattern BACKUP_LATER = Pattern.compile("(?i)\r\nretry-after: [1-9]\\d*\r\n");

    private static final List<String> TEXTS = List.of(
            "\u0000",
            "%00",
            "%",
            "%ff",
            "\\u0000",
            "\\ud800",
            "\"",
            "{",
            "[",
            "}",
            "]",
            ":",
            ",",
            "\r\n",
            "\n",
            "\r",
            " ",
            "\t",
            "../",
            "/",
            "?",
            "&",
            "=",
            "-1",
            "0",
            "1e999",
            "9223372036854775807",
            "9223372036854775808",
            "null",
            "true",
            "\u00ff",
            "\u00c0\u0080",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 5\r\n",
            "HTTP/1.0",
            "Expect: 100-continue\r\n",
            "Host: x\r\n",
            "*",
            ";",
            "\ud83d\ude00",
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");

    @TempDir
    static Path directory;

    @Test
    @DisplayName("give no 5xx, no hang, and no change of a lock they do not name")
    void survives() throws Exception {
        long seed = Long.getLong("holdfast.fuzz.seed", System.nanoTime());
        Random random = new Random(seed);
        try (Besieged besieged = new Besieged(directory)) {
            ExecutorService senders = Executors.newFixedThreadPool(AT_ONCE);
            List<byte[]> good = good(besieged.server);
            List<Future<Optional<String>>> sent = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                byte[] request = damaged(good.get(random.nextInt(good.size())), random);
                sent.add(senders.submit(() -> send(besieged.port(), request)));
            }
            for (Future<Optional<String>> one : sent) {
                assertThat(one.get()).as("seed " + seed).isEmpty();
            }
            senders.shutdownNow();
            besieged.isUnharmed();
        }
    }

    /** Every call of the document, with its examples, in a namespace of its own. */
    private static List<byte[]> good(TestServer server) {
        ApiDocument document = new ApiDocument(server.get("/openapi.json").json());
        List<byte[]> all = new ArrayList<>();
        for (ApiDocument.Example example : document.examples()) {
            String body = example.body().map(ApiDocument::text).orElse("");
            String head = example.operation().method() + " " + document.target(example.operation())
                    + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n";
            String length = body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n";
            all.add(bytes(head + length + "\r\n" + body));
            if (!body.isEmpty()) {
                all.add(bytes(head + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(body.length()) + "\r\n"
                        + body + "\r\n0\r\n\r\n"));
            }
        }
        return all;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] damaged(byte[] good, Random random) {
        byte[] request = good;
        for (int damages = 1 + random.nextInt(3); damages > 0; damages--) {
            int at = random.nextInt(request.length);
            int end = Math.min(request.length, at + 1 + random.nextInt(12));
            byte[] text = bytes(TEXTS.get(random.nextInt(TEXTS.size())));
            request = switch (random.nextInt(5)) {
                case 0 -> joined(request, at, text, at);
                case 1 -> joined(request, at, text, end);
                case 2 -> joined(request, at, new byte[0], end);
                case 3 -> joined(request, end, Arrays.copyOfRange(request, at, end), end);
                default -> joined(request, at, new byte[] {(byte) random.nextInt(256)}, at + 1);
            };
        }
        return request;
    }

    private static byte[] joined(byte[] request, int upTo, byte[] middle, int from) {
        byte[] all = Arrays.copyOf(request, upTo + middle.length + request.length - from);
        System.arraycopy(middle, 0, all, upTo, middle.length);
        System.arraycopy(request, from, all, upTo + middle.length, request.length - from);
        return all;
    }

    /** What was wrong about the reaction; empty if it was right. */
    private static Optional<String> send(int port, byte[] request) throws IOException {
        try (RawClient client = new RawClient(port)) {
            client.write(request);
            Reaction reaction = reaction(client);
            // What was asked for and given may name one: the threads of the server.
            boolean right = isRefusedBackup(reaction)
                    || reaction.status() < 500
                            && (reaction.status() < 400 || !reaction.text().contains("Exception"));
            return right
                    ? Optional.empty()
                    : Optional.of(new String(request, StandardCharsets.ISO_8859_1) + "\n--->\n" + reaction.text());
        } catch (SocketTimeoutException e) {
            return Optional.of(new String(request, StandardCharsets.ISO_8859_1) + "\n---> nothing");
        }
    }

    /** One backup is written at a time: who asks for another is told so, and when to ask again. */
    private static boolean isRefusedBackup(Reaction reaction) {
        return reaction.status() == 503
                && reaction.text().contains("\"code\":\"busy\"")
                && reaction.text().contains("Another backup is being written")
                && BACKUP_LATER.matcher(reaction.text()).find();
    }

    private static Reaction reaction(RawClient client) throws IOException {
        try {
            return client.read(false, QUIET_MILLIS);
        } catch (SocketTimeoutException e) {
            client.noMore();
            return client.read(false);
        }
    }
}
