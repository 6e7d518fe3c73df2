package dev.holdfast.server.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.jwt.VerifiedTokens.VerifiedToken;
import dev.holdfast.server.auth.login.Issuer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("remembered checks of tokens")
class VerifiedTokensTest {
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Known ALICE = new Known(new Principal("alice", Grants.NONE, Principal.CredentialOrigin.JWT));
    private final KeySet keys = new KeySet(List.of(Issuer.RSA));
    private final VerifiedTokens tokens = new VerifiedTokens();

    @Test
    @DisplayName("count until their end, and only with the keys they were made with")
    void counts() {
        Digest token = Digest.of("token");
        tokens.remember(token, new VerifiedToken(ALICE, keys, NOW.plusSeconds(1)));

        assertThat(tokens.find(token, Optional.of(keys), NOW)).contains(ALICE);
        assertThat(tokens.find(Digest.of("token2"), Optional.of(keys), NOW)).isEmpty();
        assertThat(tokens.find(token, Optional.of(keys), NOW.plusSeconds(1))).isEmpty();
        assertThat(tokens.find(token, Optional.of(keys), NOW))
                .as("forgotten with its end")
                .isEmpty();

        tokens.remember(token, new VerifiedToken(ALICE, keys, NOW.plusSeconds(1)));
        assertThat(tokens.find(token, Optional.of(new KeySet(List.of(Issuer.EC))), NOW))
                .isEmpty();
    }

    @Test
    @DisplayName("are bounded; the one not used for longest goes first")
    void bounded() {
        for (int i = 0; i < VerifiedTokens.MAX; i++) {
            tokens.remember(Digest.of("token" + i), new VerifiedToken(ALICE, keys, NOW.plusSeconds(1)));
        }
        assertThat(tokens.find(Digest.of("token0"), Optional.of(keys), NOW)).isPresent();
        tokens.remember(Digest.of("one more"), new VerifiedToken(ALICE, keys, NOW.plusSeconds(1)));

        assertThat(tokens.find(Digest.of("token0"), Optional.of(keys), NOW))
                .as("used")
                .isPresent();
        assertThat(tokens.find(Digest.of("token1"), Optional.of(keys), NOW))
                .as("not used")
                .isEmpty();
    }
}
