package dev.holdfast.server.docs;

import dev.holdfast.documents.keys.Sha256;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /openapi.json} and {@code GET /docs}: what the server can be asked, for programs and for people. Open to everybody,
 * since it tells nothing about locks. The page has no script and loads nothing.
 */
public final class ApiDocs {
    private ApiDocs() {}

    public static List<Route> routes() {
        CompletableFuture<Reply> document = CompletableFuture.completedFuture(
                Reply.bytes(200, Reply.JSON, Buffer.buffer(resource("openapi.json"))));
        return List.of(Route.get("/openapi.json", call -> document).open(), page("/docs"));
    }

    /** The same page at {@code /}, where no other is shown there. */
    public static Route home() {
        return page("/");
    }

    private static Route page(String path) {
        String html = resource("docs.html");
        String style = html.substring(html.indexOf("<style>") + "<style>".length(), html.indexOf("</style>"));
        Reply page = Reply.bytes(200, "text/html; charset=utf-8", Buffer.buffer(html))
                .header("Content-Security-Policy", policy(style))
                .header("Referrer-Policy", "no-referrer");
        return Route.get(path, call -> CompletableFuture.completedFuture(page)).open();
    }

    /** Nothing may be loaded, run, sent or framed; only this one style is used. */
    private static String policy(String style) {
        return "default-src 'none'; style-src 'sha256-" + sha256(style)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    private static String sha256(String text) {
        byte[] hash = Sha256.start().digest(text.getBytes(StandardCharsets.UTF_8));
        return Base64.getEncoder().encodeToString(hash);
    }

    private static String resource(String name) {
        try (InputStream in = ApiDocs.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the build left " + name + " out of the server");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
