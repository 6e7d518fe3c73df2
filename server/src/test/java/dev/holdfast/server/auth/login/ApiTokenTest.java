package dev.holdfast.server.auth.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Missing;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Principal;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a caller with an API token")
class ApiTokenTest {
    private static final Grants MAY_LOCK = Grants.in("billing", Role.LOCK);
    private final Authenticator authenticator = Authenticator.of(new AuthConfig(
            false,
            Optional.empty(),
            List.of(
                    TokenEntry.of("first", "hf_first", Grants.NONE),
                    TokenEntry.of("ci", "hf_s3cret", MAY_LOCK),
                    TokenEntry.of("last", "hf_last", Grants.NONE))));

    @ParameterizedTest
    @ValueSource(strings = {"Bearer hf_s3cret", "bearer hf_s3cret", "BEARER   hf_s3cret "})
    @DisplayName("is known by it as bearer, whatever the case of the scheme")
    void bearer(String header) {
        assertThat(((Known) authenticate(header)).principal())
                .isEqualTo(new Principal("ci", MAY_LOCK, Principal.CredentialOrigin.API_TOKEN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ci:hf_s3cret", "anybody:hf_s3cret", ":hf_s3cret", "ü:hf_s3cret"})
    @DisplayName("is known by it as password, whatever the user name")
    void password(String pair) {
        assertThat(authenticate(basic(pair))).isInstanceOf(Known.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "Bearer",
                "Bearer ",
                "Bearer a b",
                "Bearer hf_s3cre",
                "Bearer hf_s3cret1",
                "Bearer hf_s3cret\u0000",
                "Bearer hf_s3cret\n",
                "Bearer\thf_s3cret",
                "Bearer ü",
                "hf_s3cret",
                "Token hf_s3cret",
                "Digest x",
                "Basic",
                "Basic ",
                "Basic !!!!",
                "Basic hf_s3cret",
                "Basic Og==",
                "Basic aGZfczNjcmV0",
                "Basic /w==",
                "Bearer a.b.",
                "Bearer HF_S3CRET",
                "Bearer a.b.c",
                "Bearer a.b.c.d.e"
            })
    @DisplayName("is refused with anything else")
    void refused(String header) {
        assertThat(authenticate(header)).isInstanceOf(Refused.class);
    }

    @Test
    @DisplayName("is refused with the token in the user name, with another's hash, or with a wrong password")
    void wrongPlace() {
        assertThat(authenticate(basic("hf_s3cret:"))).isInstanceOf(Refused.class);
        assertThat(authenticate(basic("hf_s3cret"))).isInstanceOf(Refused.class);
        assertThat(authenticate(basic("ci:wrong"))).isInstanceOf(Refused.class);
        assertThat(authenticate(basic("ci:hf_s3cret\u0007"))).isInstanceOf(Refused.class);
        assertThat(authenticate("Bearer " + Digest.of("hf_s3cret").hex())).isInstanceOf(Refused.class);
    }

    @Test
    @DisplayName("is refused with a header that is too long, and no refusal repeats what was sent")
    void tooLong() {
        assertThat(authenticate("Bearer " + "x".repeat(Credentials.MAX_HEADER))).isInstanceOf(Refused.class);
        assertThat(((Refused) authenticate("Bearer hf_mistyped")).why()).doesNotContain("hf_mistyped");
        assertThat(Credentials.in("Bearer hf_s3cret").toString()).doesNotContain("hf_s3cret");
    }

    @Test
    @DisplayName("gets an answer to every header, never an exception")
    void garbage() {
        Random random = new Random(4);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder header =
                    new StringBuilder(List.of("", "Bearer ", "Basic ", "basic").get(random.nextInt(4)));
            random.ints(random.nextInt(40), 0, random.nextBoolean() ? 128 : 65_536)
                    .forEach(c -> header.append((char) c));
            assertThat(authenticate(header.toString())).isInstanceOf(Refused.class);
        }
    }

    @Test
    @DisplayName("is missing without a header; on an open server everybody is anonymous, and may everything")
    void without() {
        assertThat(now(authenticator.authenticate(Optional.empty()))).isInstanceOf(Missing.class);

        for (AuthConfig open : List.of(AuthConfig.UNSET, new AuthConfig(true, Optional.empty(), List.of()))) {
            for (Optional<String> header : List.of(Optional.<String>empty(), Optional.of("nonsense"))) {
                assertThat(now(Authenticator.of(open).authenticate(header))).isEqualTo(new Known(Principal.ANONYMOUS));
            }
        }
        assertThat(Principal.ANONYMOUS.grants().mayEverywhere(Role.ADMIN)).isTrue();
    }

    private Authentication authenticate(String header) {
        return now(authenticator.authenticate(Optional.of(header)));
    }

    private static Authentication now(CompletionStage<Authentication> stage) {
        assertThat(stage.toCompletableFuture()).as("answered at once").isDone();
        return Await.get(stage);
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }
}
