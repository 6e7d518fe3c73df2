package dev.holdfast.server.auth.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Loopback;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.jwt.JwtConfig;
import dev.holdfast.server.auth.jwt.JwtConfigs;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("the configuration of authentication")
class AuthConfigTest {
    private static final TokenEntry CI = TokenEntry.of("ci", "secret-of-ci", Grants.NONE);

    @Test
    @DisplayName("knows a token only by its hash, and shows not even that")
    void hash() {
        assertThat(TokenEntry.of("ci", "abc", Grants.NONE).sha256())
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(CI.toString()).contains("ci").doesNotContain(CI.sha256());
        assertThat(new TokenEntry("ci", CI.sha256().toUpperCase(Locale.ROOT), Grants.NONE))
                .isEqualTo(CI);
    }

    @Test
    @DisplayName("refuses what is no hash without repeating it: it may be the token itself")
    void noHash() {
        assertThatThrownBy(() -> new TokenEntry("ci", "my-plain-token", Grants.NONE))
                .hasMessageContaining("sha256 of token 'ci' must be 64 hexadecimal digits")
                .hasMessageNotContaining("my-plain-token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "anonymous", "a\nb", "ü"})
    @DisplayName("refuses an id that is no name, or everybody's")
    void badId(String id) {
        assertThatThrownBy(() -> TokenEntry.of(id, "secret", Grants.NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("token id");
    }

    @Test
    @DisplayName("refuses two entries with one id, and two with one token")
    void duplicates() {
        assertThatThrownBy(() -> tokens(CI, TokenEntry.of("ci", "other", Grants.NONE)))
                .hasMessageContaining("two entries with the id 'ci'");
        assertThatThrownBy(() -> tokens(CI, TokenEntry.of("cd", "secret-of-ci", Grants.ALL)))
                .hasMessageContaining("'cd' has the sha256 of another entry");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ftp://issuer/",
                "file:///etc/passwd",
                "issuer",
                "https:///x",
                "https://u:pass@host/",
                "https://h/#f"
            })
    @DisplayName("takes keys only from http or https, and shows no password in an address")
    void badAddress(String address) {
        assertThatThrownBy(() -> JwtConfigs.issuedBy(URI.create(address), "holdfast"))
                .hasMessageContaining("jwt.issuer must be an http or https URL")
                .hasMessageNotContaining("pass@");
    }

    @Test
    @DisplayName("JWT without issuer and keys, with a blank audience or a skew of an hour is refused")
    void badJwt() {
        Optional<URI> issuer = Optional.of(URI.create("https://issuer"));
        assertThatThrownBy(() -> jwt(Optional.empty(), "holdfast", "r", Duration.ZERO))
                .hasMessageContaining("jwt.issuer or jwt.jwks");
        assertThatThrownBy(() -> jwt(issuer, " ", "r", Duration.ZERO)).hasMessageContaining("jwt.audience");
        assertThatThrownBy(() -> jwt(issuer, "holdfast", "", Duration.ZERO)).hasMessageContaining("claim");
        assertThatThrownBy(() -> jwt(issuer, "holdfast", "r", Duration.ofHours(1)))
                .hasMessageContaining("skew");
        assertThatThrownBy(() -> jwt(issuer, "holdfast", "r", Duration.ofMillis(-1)))
                .hasMessageContaining("skew");
    }

    @Test
    @DisplayName("asks who calls if there is somebody to know, and not if it is switched off or nothing is said")
    void asks() {
        AuthConfig off = new AuthConfig(true, Optional.empty(), List.of());

        assertThat(AuthConfig.UNSET.asks()).isFalse();
        assertThat(tokens(CI).asks()).isTrue();
        assertThat(off.asks()).isFalse();
    }

    @Test
    @DisplayName("switched off and with tokens, JWT or certificates is a contradiction, and refused")
    void contradiction() {
        JwtConfig jwt = JwtConfigs.issuedBy(URI.create("https://issuer"), "holdfast");
        CertificateEntry certificate = new CertificateEntry(
                Optional.of(new Glob("CN=ci")), Optional.empty(), Optional.empty(), Grants.NONE, Optional.empty());
        assertThatThrownBy(() -> new AuthConfig(true, Optional.empty(), List.of(CI)))
                .hasMessageContaining("authentication.disabled=true");
        assertThatThrownBy(() -> new AuthConfig(true, Optional.of(jwt), List.of()))
                .hasMessageContaining("authentication.disabled=true");
        assertThatThrownBy(() -> new AuthConfig(true, Optional.empty(), List.of(), List.of(certificate)))
                .hasMessageContaining("authentication.disabled=true");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost",
                "LOCALHOST",
                "127.0.0.1",
                "127.255.0.9",
                "::1",
                "[::1]",
                "0:0:0:0:0:0:0:1",
                "::ffff:127.0.0.1"
            })
    @DisplayName("loopback is")
    void loopback(String host) {
        assertThat(Loopback.isLoopback(host)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0.0.0.0",
                "::",
                "[::]",
                "127.0.0.1.evil.example",
                "localhost.evil.example",
                "128.0.0.1",
                "127.0.0.256",
                "127.1",
                "2130706433",
                "10.0.0.1",
                "::2",
                "1::1",
                "[",
                "]",
                "[]",
                ":",
                "::ffff:10.0.0.1",
                "localhost:80",
                "127.0.0.1\n"
            })
    @DisplayName("loopback is not")
    void notLoopback(String host) {
        assertThat(Loopback.isLoopback(host)).isFalse();
    }

    private static AuthConfig tokens(TokenEntry... tokens) {
        return new AuthConfig(false, Optional.empty(), List.of(tokens));
    }

    private static JwtConfig jwt(Optional<URI> issuer, String audience, String claim, Duration skew) {
        return JwtConfigs.of(issuer, Optional.empty(), audience, claim, Grants.NONE, skew);
    }
}
