package dev.holdfast.server.auth.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Authentication.Unavailable;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.IssuerKeys;
import dev.holdfast.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("API tokens that come and go")
class CredentialStandingTest {
    private static final TokenEntry ROOT = TokenEntry.of("root", "hf_root", Grants.ALL);
    private static final TokenEntry CI = TokenEntry.of("ci", "hf_ci", Grants.in("n", Role.LOCK));

    private final TestClock clock = new TestClock(Instant.parse("2030-01-01T00:00:00Z"));
    private final Authenticator authenticator =
            Authenticator.of(new AuthConfig(false, Optional.empty(), List.of(ROOT)), clock, IssuerKeys.Pace.STANDARD);
    private final AtomicInteger ended = new AtomicInteger();

    @AfterEach
    void close() {
        authenticator.close();
    }

    @Test
    @DisplayName("count from when they are stored until they are not, and what they opened ends")
    void revoked() throws Exception {
        assertThat(present("hf_ci")).isInstanceOf(Refused.class);
        authenticator.storedTokens(List.of(CI));
        Known ci = (Known) present("hf_ci");
        Known root = (Known) present("hf_root");
        ci.standing().whenOver(ended::incrementAndGet);
        Runnable forget = ci.standing().whenOver(() -> ended.addAndGet(100));
        forget.run();
        root.standing().whenOver(() -> ended.addAndGet(1_000));

        authenticator.storedTokens(List.of());
        assertThat(ci.standing().stands()).isFalse();
        assertThat(root.standing().stands()).isTrue();
        assertThat(present("hf_ci")).isInstanceOf(Refused.class);
        Await.until("the end is told, once, to whom it concerns", () -> ended.get() == 1);
        Thread.sleep(600); // two more looks
        assertThat(ended).hasValue(1);
    }

    @Test
    @DisplayName("are others when their roles change; those that stay the same keep what they opened")
    void changed() {
        authenticator.storedTokens(List.of(CI));
        Known ci = (Known) present("hf_ci");
        Known root = (Known) present("hf_root");
        TokenEntry less = TokenEntry.of("ci", "hf_ci", Grants.in("n", Role.READ));
        authenticator.storedTokens(List.of(less));
        assertThat(ci.standing().stands()).isFalse();
        assertThat(root.standing().stands()).isTrue();
        assertThat(((Known) present("hf_ci")).principal().grants()).isEqualTo(less.roles());

        authenticator.configuredTokens(List.of(ROOT, TokenEntry.of("new", "hf_new", Grants.NONE)));
        assertThat(present("hf_new")).isInstanceOf(Known.class);
        assertThat(root.standing().stands()).isTrue();
        authenticator.configuredTokens(List.of());
        assertThat(root.standing().stands()).isFalse();
        assertThat(present("hf_root"))
                .as("without any token left the server is not open")
                .isInstanceOf(Refused.class);
    }

    @Test
    @DisplayName("expire by the local clock, at once")
    void expired() throws Exception {
        Instant end = clock.instant().plusSeconds(60);
        authenticator.storedTokens(
                List.of(new TokenEntry("ci", CI.sha256(), Grants.NONE, Optional.of(end), Optional.of("builds"))));
        Known ci = (Known) present("hf_ci");
        assertThat(ci.principal().group()).contains("builds");
        ci.standing().whenOver(ended::incrementAndGet);
        clock.advance(Duration.ofSeconds(60).minusMillis(1));
        assertThat(present("hf_ci")).isInstanceOf(Known.class);
        clock.advance(Duration.ofMillis(1));
        assertThat(present("hf_ci"))
                .isInstanceOfSatisfying(
                        Refused.class, it -> assertThat(it.why()).contains("expired at " + end));
        assertThat(ci.standing().stands()).isFalse();
        Await.until("the end is told", () -> ended.get() == 1);
    }

    @Test
    @DisplayName("that are not known because the store was not read yet are not called wrong")
    void notYetRead() {
        authenticator.expectStoredTokens();
        assertThat(present("hf_ci")).isInstanceOf(Unavailable.class);
        assertThat(present("hf_root")).isInstanceOf(Known.class);
        authenticator.storedTokens(List.of());
        assertThat(present("hf_ci")).isInstanceOf(Refused.class);
    }

    private Authentication present(String token) {
        return Await.get(authenticator.authenticate(Optional.of("Bearer " + token)));
    }
}
