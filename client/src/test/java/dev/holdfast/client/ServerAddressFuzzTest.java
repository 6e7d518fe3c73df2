package dev.holdfast.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.fuzz.Fuzz;
import dev.holdfast.testkit.fuzz.OddUrl;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the address of a server")
final class ServerAddressFuzzTest {
    @Test
    @DisplayName("however badly a secret is written into it, is taken or refused, and the secret is not shown")
    void odd() {
        for (int i = 0; i < Fuzz.inputs(); i++) {
            Random random = new Random(i);
            OddUrl odd = OddUrl.of(List.of("http://", "https://", "ftp://", "").get(random.nextInt(4)), random);
            try {
                ServerConfig.of(odd.url());
            } catch (IllegalArgumentException e) {
                String said = e.getMessage() + " " + e.getCause();
                assertThat(odd.isShownIn(said))
                        .as("input %s: %s: %s", i, odd.url(), said)
                        .isFalse();
            }
        }
    }
}
