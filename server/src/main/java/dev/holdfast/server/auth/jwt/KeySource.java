package dev.holdfast.server.auth.jwt;

import com.nimbusds.jose.util.JSONObjectUtils;
import dev.holdfast.server.auth.ForeignText;
import dev.holdfast.server.auth.Loopback;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Fetches an issuer's keys, without blocking anybody. Bounded in time and size; follows no redirects, so that an address in
 * the configuration is the address that is trusted.
 */
final class KeySource {
    static final int MAX_BYTES = 1024 * 1024;

    private final JwtConfig config;
    private final Duration patience;
    private final HttpClient http;

    KeySource(JwtConfig config, Duration patience) {
        this.config = config;
        this.patience = patience;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(patience);
        Optional.ofNullable(ProxySelector.getDefault()).ifPresent(builder::proxy);
        this.http = builder.build();
    }

    /** The keys as they are now; fails within the patience, with a reason fit for the log. */
    CompletableFuture<KeySet> fetch() {
        // From the second step on an exception is a failed look; nothing is thrown at the caller.
        return CompletableFuture.completedFuture(config.jwks())
                .thenCompose(
                        given -> given.map(CompletableFuture::completedFuture).orElseGet(this::discover))
                .thenCompose(jwks -> get(jwks).thenApply(body -> parsed(jwks, body)))
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether others on the way could exchange the keys. */
    boolean isExposed() {
        return Stream.of(config.jwks(), config.issuer())
                .flatMap(Optional::stream)
                .anyMatch(uri -> "http".equalsIgnoreCase(uri.getScheme()) && !Loopback.isLoopback(uri.getHost()));
    }

    String name() {
        return config.jwks().or(config::issuer).map(URI::toString).orElse("");
    }

    private CompletableFuture<URI> discover() {
        String issuer = config.issuer().orElseThrow().toString();
        String base = issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
        URI document = URI.create(base + "/.well-known/openid-configuration");
        return get(document).thenApply(body -> discovered(issuer, document, body));
    }

    /** The issuer in the document must be the one configured: otherwise somebody else's keys would speak for it. */
    private static URI discovered(String issuer, URI document, String body) {
        try {
            var metadata = JSONObjectUtils.parse(body);
            Object said = metadata.get("issuer");
            if (!issuer.equals(said)) {
                throw broken(
                        document,
                        "names the issuer '" + ForeignText.safely(String.valueOf(said)) + "', not '" + issuer + "'");
            }
            URI jwks = URI.create(String.valueOf(metadata.get("jwks_uri")));
            boolean downgraded =
                    "https".equalsIgnoreCase(document.getScheme()) && !"https".equalsIgnoreCase(jwks.getScheme());
            if (!JwtConfig.isHttp(jwks) || downgraded) {
                throw broken(
                        document,
                        "has the jwks_uri '" + ForeignText.safely(jwks.toString()) + "', which cannot be used");
            }
            return jwks;
        } catch (ParseException | IllegalArgumentException e) {
            throw broken(document, "is not an OpenID configuration with a jwks_uri");
        }
    }

    private static KeySet parsed(URI jwks, String body) {
        try {
            return KeySet.parse(body);
        } catch (ParseException | RuntimeException e) {
            throw broken(jwks, "gives no usable keys: " + ForeignText.safely(String.valueOf(e.getMessage())));
        }
    }

    private CompletableFuture<String> get(URI address) {
        HttpRequest request = HttpRequest.newBuilder(address)
                .header("Accept", "application/json")
                .timeout(patience)
                .build();
        var exchange = http.sendAsync(request, answer -> new BoundedBody(MAX_BYTES));
        // The request's own time limit ends with the headers; a body that drips must end too.
        return exchange.thenApply(answer -> body(address, answer))
                .orTimeout(patience.toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((body, failure) -> exchange.cancel(true));
    }

    private static String body(URI address, HttpResponse<byte[]> answer) {
        if (answer.statusCode() != 200) {
            throw broken(address, "answered " + answer.statusCode());
        }
        return new String(answer.body(), StandardCharsets.UTF_8);
    }

    private static CompletionException broken(URI address, String how) {
        return new CompletionException(address + " " + how, null);
    }
}
