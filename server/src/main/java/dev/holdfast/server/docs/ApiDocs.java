package dev.holdfast.server.docs;

import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * {@code GET /openapi.json} and {@code GET /docs}: what the server can be asked, for programs and for people. Open to everybody,
 * since it tells nothing about locks. The page has no script, loads nothing, and is made of the document while the server starts.
 */
public final class ApiDocs {
    private final CompletableFuture<Reply> document;
    private final CompletableFuture<Reply> page;

    private ApiDocs(CompletableFuture<Reply> document, CompletableFuture<Reply> page) {
        this.document = document;
        this.page = page;
    }

    /** Those of this version. They are made beside the rest of the start, which need not wait for them. */
    public static ApiDocs load() {
        CompletableFuture<String> json = CompletableFuture.supplyAsync(() -> resource("openapi.json"));
        return new ApiDocs(
                json.thenApply(text -> Reply.bytes(200, Reply.JSON, Buffer.buffer(text))),
                json.thenApply(ApiDocs::page));
    }

    private static Reply page(String json) {
        String style = resource("docs.css");
        String html = new DocsPage(Node.parse(json), style).html();
        return Reply.bytes(200, "text/html; charset=utf-8", Buffer.buffer(html))
                .header("Content-Security-Policy", policy(style))
                .header("Referrer-Policy", "no-referrer");
    }

    /** The calls. */
    public List<Route> routes() {
        return List.of(
                Route.get("/", call -> page).open(),
                Route.get("/openapi.json", call -> document).open(),
                Route.get("/docs", call -> page).open());
    }

    /** Nothing may be loaded, run, sent or framed; only this one style is used. */
    private static String policy(String style) {
        return "default-src 'none'; style-src 'sha256-" + sha256(style)
                + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
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
