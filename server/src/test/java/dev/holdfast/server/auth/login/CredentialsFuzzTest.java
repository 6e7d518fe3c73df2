package dev.holdfast.server.auth.login;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.fuzz.Fuzz;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an Authorization header")
final class CredentialsFuzzTest {
    private static final String TOKEN = "hf_Qx7rTy2LmNpQ0sVwZ3bC";

    @Test
    @DisplayName(
            "however damaged, is read without an exception, and what is wrong with it is told without repeating it")
    void damaged() {
        String basic = Base64.getEncoder().encodeToString(("x:" + TOKEN).getBytes(StandardCharsets.UTF_8));
        Fuzz.of("Bearer " + TOKEN, "Basic " + basic, "bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.")
                .run(header -> {
                    Credentials read = Credentials.in(header);
                    if (read instanceof Credentials.Unreadable unreadable) {
                        assertThat(unreadable.why())
                                .isNotBlank()
                                .doesNotContain(TOKEN.substring(0, 10), basic.substring(0, 10));
                    } else {
                        assertThat(((Credentials.Secret) read).value()).matches("[!-~]+");
                        assertThat(read.toString()).doesNotContain(TOKEN);
                    }
                });
    }
}
