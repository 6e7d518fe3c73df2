package dev.holdfast.server.http;

import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What is answered.
 *
 * @param contentType of the body; empty when there is none
 * @param headers names and values, one after the other
 * @param undelivered called when the client cannot be told any more
 * @param stream takes the response over instead of the body, for answers without end
 */
public record Reply(
        int status,
        String contentType,
        Buffer body,
        List<String> headers,
        Runnable undelivered,
        Optional<Consumer<HttpServerResponse>> stream) {
    /** JSON in UTF-8, as it needs no charset. */
    public static final String JSON = "application/json";

    public static Reply ok(JsonText.Part fields) {
        return json(200, fields);
    }

    public static Reply ok(Json.Obj object) {
        return json(200, object);
    }

    public static Reply json(int status, Json.Obj object) {
        return bytes(status, JSON, line(object.bytes()));
    }

    /** An object, whose fields {@code fields} writes. */
    public static Reply json(int status, JsonText.Part fields) {
        return bytes(status, JSON, line(JsonText.object(fields)));
    }

    /** With the end of a line: the prompt of whoever uses curl then begins a new one. */
    public static Buffer line(byte[] json) {
        return Buffer.buffer(json.length + 1).appendBytes(json).appendByte((byte) '\n');
    }

    public static Reply bytes(int status, String contentType, Buffer body) {
        return new Reply(status, contentType, body, List.of(), () -> {}, Optional.empty());
    }

    /** An answer that goes on: {@code open} gets the response with its head not yet written. */
    public static Reply stream(String contentType, Consumer<HttpServerResponse> open) {
        return new Reply(200, contentType, Buffer.buffer(), List.of(), () -> {}, Optional.of(open));
    }

    public Reply header(String name, String value) {
        List<String> more = new ArrayList<>(headers);
        more.add(name);
        more.add(value);
        return new Reply(status, contentType, body, more, undelivered, stream);
    }

    /** The same; {@code act} is called if it cannot be delivered. */
    public Reply ifUndelivered(Runnable act) {
        return new Reply(status, contentType, body, headers, act, stream);
    }
}
