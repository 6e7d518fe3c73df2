package dev.holdfast.client.internal;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;

/** A request as HTTP/1.1 writes it. */
final class RequestBytes {
    private RequestBytes() {}

    /**
     * In one piece: a short request is one packet.
     *
     * @param keeps whether the connection is kept afterwards, if the server does so too
     */
    static byte[] of(HttpRequest request, boolean keeps) {
        byte[] body = body(request);
        StringBuilder head = new StringBuilder(512);
        head.append(request.method()).append(' ').append(target(request.uri())).append(" HTTP/1.1\r\nHost: ");
        head.append(request.uri().getHost());
        if (request.uri().getPort() >= 0) {
            head.append(':').append(request.uri().getPort());
        }
        head.append(keeps ? "\r\n" : "\r\nConnection: close\r\n");
        if (body.length > 0
                || !(request.method().equals("GET") || request.method().equals("HEAD"))) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        request.headers()
                .map()
                .forEach((name, values) -> values.forEach(
                        value -> head.append(name).append(": ").append(value).append("\r\n")));
        head.append("\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + body.length);
        all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        all.writeBytes(body);
        return all.toByteArray();
    }

    private static byte[] body(HttpRequest request) {
        if (request.bodyPublisher().isEmpty()) {
            return new byte[0];
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CompletableFuture<byte[]> whole = new CompletableFuture<>();
        request.bodyPublisher().get().subscribe(new Flow.Subscriber<ByteBuffer>() {
            @Override
            public void onSubscribe(Flow.Subscription subscription) {
                subscription.request(Long.MAX_VALUE);
            }

            @Override
            public void onNext(ByteBuffer part) {
                byte[] copy = new byte[part.remaining()];
                part.get(copy);
                bytes.writeBytes(copy);
            }

            @Override
            public void onError(Throwable failure) {
                whole.completeExceptionally(failure);
            }

            @Override
            public void onComplete() {
                whole.complete(bytes.toByteArray());
            }
        });
        return whole.join();
    }

    private static String target(URI uri) {
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }
}
