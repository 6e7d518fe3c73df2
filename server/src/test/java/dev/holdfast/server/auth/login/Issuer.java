package dev.holdfast.server.auth.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.holdfast.server.auth.jwt.JwtConfigs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A real issuer on a real port: publishes keys, signs tokens, and fails in the ways issuers do. */
public final class Issuer implements AutoCloseable {
    public static final JWK RSA = rsa("rsa-1");
    public static final JWK OTHER_RSA = rsa("rsa-2");
    public static final JWK EC = ec("ec-1", Curve.P_256);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer http;
    private final CountDownLatch closing = new CountDownLatch(1);

    final AtomicInteger looks = new AtomicInteger();
    public volatile List<JWK> keys = List.of(RSA, EC);
    public volatile Mood mood = Mood.WELL;
    /** What the discovery document says of itself; empty for the truth. */
    volatile String claimedIssuer = "";

    public enum Mood {
        WELL,
        FAILING,
        HANGING,
        DRIPPING,
        FLOODING,
        REDIRECTING,
        TALKING_NONSENSE
    }

    public Issuer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.createContext("/keys", exchange -> {
            looks.incrementAndGet();
            answer(exchange, new JWKSet(keys).toString());
        });
        http.createContext(
                "/.well-known/openid-configuration",
                exchange -> answer(
                        exchange, """
                        {"issuer":"%s","jwks_uri":"%s"}""".formatted(claimedIssuer.isEmpty() ? url().toString() : claimedIssuer, jwks())));
        http.setExecutor(threads);
        http.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort());
    }

    public URI jwks() {
        return url().resolve("/keys");
    }

    /** A good set of claims, to be spoiled. */
    public JWTClaimsSet.Builder claims(Instant now) {
        return new JWTClaimsSet.Builder()
                .subject("alice")
                .issuer(url().toString())
                .audience(List.of("other", "holdfast"))
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(3600)))
                .claim(JwtConfigs.ROLES_CLAIM, Map.of("billing", List.of("lock")));
    }

    public static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
        return sign(
                key,
                new JWSHeader.Builder(algorithm)
                        .keyID(key.getKeyID())
                        .type(JOSEObjectType.JWT)
                        .build(),
                claims);
    }

    public static String sign(JWK key, JWSHeader header, JWTClaimsSet claims) {
        try {
            SignedJWT token = new SignedJWT(header, claims);
            token.sign(new DefaultJWSSignerFactory().createJWSSigner(key, header.getAlgorithm()));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    public static JWK rsa(String id) {
        try {
            return new RSAKeyGenerator(2048).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static JWK ec(String id, Curve curve) {
        try {
            return new ECKeyGenerator(curve).keyID(id).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange, String body) throws IOException {
        try (exchange) {
            switch (mood) {
                case WELL -> send(exchange, 200, body);
                case FAILING -> send(exchange, 500, body);
                case TALKING_NONSENSE -> send(exchange, 200, "<html>");
                case REDIRECTING -> {
                    exchange.getResponseHeaders().add("Location", url() + "/moved");
                    send(exchange, 302, body);
                }
                case HANGING -> closing.await();
                case DRIPPING -> {
                    exchange.sendResponseHeaders(200, 0);
                    exchange.getResponseBody().write('{');
                    exchange.getResponseBody().flush();
                    closing.await();
                }
                case FLOODING -> {
                    exchange.sendResponseHeaders(200, 0);
                    byte[] spaces = " ".repeat(100_000).getBytes(StandardCharsets.UTF_8);
                    for (int i = 0; i < 20; i++) {
                        exchange.getResponseBody().write(spaces);
                    }
                    exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        closing.countDown();
        http.stop(0);
        threads.shutdownNow();
    }
}
