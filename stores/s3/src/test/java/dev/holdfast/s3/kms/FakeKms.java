package dev.holdfast.s3.kms;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Two calls of KMS as its reference describes them, on one key: its data keys are wrapped by xor, which is enough for a test. */
final class FakeKms implements AutoCloseable {
    static final String KEY = "arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab";

    private final HttpServer server;
    private final Random random = new Random(1);
    private final Deque<Integer> failures = new ArrayDeque<>();
    final List<String> calls = Collections.synchronizedList(new ArrayList<>());
    volatile boolean denied;

    FakeKms() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String source() {
        return "kms:" + KEY + "?endpoint=http://127.0.0.1:"
                + server.getAddress().getPort();
    }

    /** The next requests fail so. */
    synchronized void fail(Integer... statuses) {
        failures.addAll(List.of(statuses));
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
        String signature = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
        calls.add(target);
        boolean sound = exchange.getRequestMethod().equals("POST")
                && signature.matches(
                        "AWS4-HMAC-SHA256 Credential=test/[0-9]{8}/eu-central-1/kms/aws4_request, SignedHeaders=.*"
                                + "x-amz-target.*, Signature=[0-9a-f]{64}")
                && "application/x-amz-json-1.1"
                        .equals(exchange.getRequestHeaders().getFirst("Content-Type"))
                && field(body, "KeyId").equals(KEY)
                && body.contains("\"EncryptionContext\":{\"application\":\"holdfast\"}");
        if (!failures.isEmpty()) {
            reply(exchange, failures.remove(), "<html>not KMS</html>");
        } else if (!sound) {
            refuse(exchange, "ValidationException", "unsound: " + signature);
        } else if (denied) {
            refuse(exchange, "AccessDeniedException", "User is not authorized to perform this");
        } else if (target.equals("TrentService.GenerateDataKey")
                && field(body, "KeySpec").equals("AES_256")) {
            byte[] key = new byte[32];
            random.nextBytes(key);
            reply(
                    exchange,
                    200,
                    "{\"CiphertextBlob\":\"" + text(wrapped(key)) + "\",\"KeyId\":\"" + KEY
                            + "\",\"KeyMaterialId\":null,\"Plaintext\":\"" + text(key) + "\"}");
        } else if (target.equals("TrentService.Decrypt")) {
            byte[] blob = Base64.getDecoder().decode(field(body, "CiphertextBlob"));
            if (blob.length != 33 || blob[32] != sum(blob)) {
                refuse(exchange, "InvalidCiphertextException", "");
                return;
            }
            reply(
                    exchange,
                    200,
                    "{\"KeyId\":\"" + KEY + "\",\"EncryptionAlgorithm\":\"SYMMETRIC_DEFAULT\",\"Plaintext\":\""
                            + text(Arrays.copyOf(wrapped(Arrays.copyOf(blob, 32)), 32)) + "\"}");
        } else {
            refuse(exchange, "UnknownOperationException", target);
        }
    }

    private static byte[] wrapped(byte[] key) {
        byte[] blob = Arrays.copyOf(key, 33);
        for (int i = 0; i < 32; i++) {
            blob[i] ^= (byte) (i * 37 + 11);
        }
        blob[32] = sum(blob);
        return blob;
    }

    private static byte sum(byte[] blob) {
        int sum = 0;
        for (int i = 0; i < 32; i++) {
            sum = sum * 31 + blob[i];
        }
        return (byte) sum;
    }

    private static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static String field(String body, String name) {
        Matcher found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(body);
        return found.find() ? found.group(1) : "";
    }

    private static void refuse(HttpExchange exchange, String type, String message) throws IOException {
        reply(exchange, 400, "{\"__type\":\"com.amazonaws.kms#" + type + "\",\"message\":\"" + message + "\"}");
    }

    private static void reply(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
