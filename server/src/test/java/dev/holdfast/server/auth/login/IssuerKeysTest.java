package dev.holdfast.server.auth.login;

import static com.nimbusds.jose.JWSAlgorithm.ES256;
import static com.nimbusds.jose.JWSAlgorithm.RS256;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Authentication.Unavailable;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.jwt.IssuerKeys.Pace;
import dev.holdfast.server.auth.jwt.JwtConfig;
import dev.holdfast.server.auth.jwt.JwtConfigs;
import dev.holdfast.testkit.Await;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("the keys of an issuer")
class IssuerKeysTest {
    private static final Duration NEVER = Duration.ofHours(1);
    private static final Duration OFTEN = Duration.ofMillis(20);
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final Pace CALM = new Pace(NEVER, OFTEN, PATIENCE);

    private final Issuer issuer = new Issuer();
    private Optional<Authenticator> opened = Optional.empty();

    @AfterEach
    void close() {
        opened.ifPresent(Authenticator::close);
        issuer.close();
    }

    @Test
    @DisplayName("are fetched from the address given, without asking the issuer where they are")
    void byAddress() {
        issuer.claimedIssuer = "https://evil.example";
        open(keysAt(issuer.jwks()), CALM);

        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Known.class);
    }

    @Test
    @DisplayName("are not fetched from where the address redirects to")
    void redirected() {
        issuer.mood = Issuer.Mood.REDIRECTING;
        open(keysAt(issuer.jwks()), CALM);

        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Unavailable.class);
    }

    @Test
    @DisplayName("are not taken from a document that speaks for another issuer")
    void wrongDocument() {
        issuer.claimedIssuer = "https://evil.example";
        open(CALM);

        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Unavailable.class);
        assertThat(issuer.looks).hasValue(0);
    }

    @Test
    @DisplayName("are looked at again when a token names a new one, so a rotation needs no restart")
    void rotation() {
        open(CALM);
        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Known.class);

        JWK next = Issuer.rsa("rsa-next");
        issuer.keys = List.of(next, Issuer.EC);
        assertThat(present(Issuer.OTHER_RSA, RS256)).isInstanceOf(Refused.class);
        assertThat(eventuallyKnown(next, RS256)).isTrue();
        assertThat(present(Issuer.RSA, RS256)).as("withdrawn").isInstanceOf(Refused.class);
        assertThat(present(Issuer.EC, ES256)).isInstanceOf(Known.class);
    }

    @Test
    @DisplayName("are looked at again in the background, and a withdrawn one ends what was remembered with it")
    void withdrawn() {
        open(new Pace(OFTEN, OFTEN, PATIENCE));
        String token = token(Issuer.RSA, RS256);
        assertThat(Await.get(ask(token))).isInstanceOf(Known.class);

        issuer.keys = List.of(Issuer.EC);
        Await.until("the token is refused", () -> Await.get(ask(token)) instanceof Refused);
    }

    @Test
    @DisplayName("are not looked at for every stranger's token: once in a while at most")
    void bounded() {
        open(new Pace(NEVER, NEVER, PATIENCE));
        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Known.class);

        for (int i = 0; i < 50; i++) {
            assertThat(present(Issuer.OTHER_RSA, RS256)).isInstanceOf(Refused.class);
        }
        assertThat(issuer.looks).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WELL")
    @DisplayName("stay in use while the issuer fails in any way, and it recovers by itself")
    void outage(Issuer.Mood mood) {
        open(new Pace(OFTEN, OFTEN, Duration.ofMillis(300)));
        assertThat(eventuallyKnown(Issuer.RSA, RS256)).isTrue();

        issuer.mood = mood;
        issuer.keys = List.of(Issuer.RSA, Issuer.OTHER_RSA);
        Await.until("the outage is noticed", () -> present(Issuer.OTHER_RSA, RS256) instanceof Unavailable);
        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Known.class);

        issuer.mood = Issuer.Mood.WELL;
        assertThat(eventuallyKnown(Issuer.OTHER_RSA, RS256)).isTrue();
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "WELL")
    @DisplayName("if none were ever seen, the answer is 'unavailable', not 'refused', until the issuer is back")
    void neverSeen(Issuer.Mood mood) {
        issuer.mood = mood;
        open(new Pace(OFTEN, OFTEN, Duration.ofMillis(300)));
        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Unavailable.class);

        issuer.mood = Issuer.Mood.WELL;
        assertThat(eventuallyKnown(Issuer.RSA, RS256)).isTrue();
    }

    @Test
    @DisplayName("that do not come leave the caller's thread free, and the answer comes within the patience")
    void neverBlocks() {
        issuer.mood = Issuer.Mood.HANGING;
        open(new Pace(NEVER, NEVER, Duration.ofSeconds(1)));
        String token = token(Issuer.RSA, RS256);

        long start = System.nanoTime();
        List<CompletableFuture<Authentication>> asked =
                Stream.generate(() -> ask(token)).limit(200).toList();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(900));
        assertThat(asked).noneMatch(CompletableFuture::isDone);

        assertThat(asked).allMatch(answer -> Await.get(answer) instanceof Unavailable);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }

    @Test
    @DisplayName("of an issuer nobody listens at, or a key set without a usable key: unavailable")
    void unusable() {
        issuer.keys = List.of();
        open(CALM);
        assertThat(present(Issuer.RSA, RS256)).isInstanceOf(Unavailable.class);

        try (Authenticator nowhere = Authenticator.of(new AuthConfig(
                false, Optional.of(JwtConfigs.issuedBy(URI.create("http://127.0.0.1:1"), "holdfast")), List.of()))) {
            assertThat(Await.get(nowhere.authenticate(Optional.of("Bearer " + token(Issuer.RSA, RS256)))))
                    .isInstanceOf(Unavailable.class);
        }
    }

    private static JwtConfig keysAt(URI jwks) {
        return JwtConfigs.of(
                Optional.empty(), Optional.of(jwks), "holdfast", JwtConfigs.ROLES_CLAIM, Grants.NONE, Duration.ZERO);
    }

    private void open(Pace pace) {
        open(JwtConfigs.issuedBy(issuer.url(), "holdfast"), pace);
    }

    private void open(JwtConfig jwt, Pace pace) {
        opened = Optional.of(
                Authenticator.of(new AuthConfig(false, Optional.of(jwt), List.of()), Clock.systemUTC(), pace));
    }

    private boolean eventuallyKnown(JWK key, JWSAlgorithm algorithm) {
        Await.until("known", () -> present(key, algorithm) instanceof Known);
        return true;
    }

    private Authentication present(JWK key, JWSAlgorithm algorithm) {
        return Await.get(ask(token(key, algorithm)));
    }

    private String token(JWK key, JWSAlgorithm algorithm) {
        return Issuer.sign(key, algorithm, issuer.claims(Instant.now()).build());
    }

    private CompletableFuture<Authentication> ask(String token) {
        return opened.orElseThrow().authenticate(Optional.of("Bearer " + token)).toCompletableFuture();
    }
}
