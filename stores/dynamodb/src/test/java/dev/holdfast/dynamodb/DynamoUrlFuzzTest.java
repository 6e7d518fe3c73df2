package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.testkit.fuzz.Fuzz;
import dev.holdfast.testkit.fuzz.OddUrl;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the URL of a table")
final class DynamoUrlFuzzTest {
    @Test
    @DisplayName("however badly its secret is written, is taken or refused, and the secret is not shown")
    void odd() {
        for (int i = 0; i < Fuzz.inputs(); i++) {
            OddUrl odd = OddUrl.of("dynamodb://", new Random(i));
            String said;
            try {
                DynamoUrl.of(odd.url());
                said = "";
            } catch (IllegalArgumentException e) {
                said = e.getMessage() + " " + e.getCause();
            }
            assertThat(odd.isShownIn(said))
                    .as("input %s: %s: %s", i, odd.url(), said)
                    .isFalse();
            String lower = said;
            assertThat(odd.words())
                    .as("input %s: %s: %s", i, odd.url(), said)
                    .noneMatch(word -> lower.contains(word.toLowerCase(Locale.ROOT)));
        }
    }

    @Test
    @DisplayName("has an endpoint of host and port, or is refused without repeating it; and a key that is one")
    void found() {
        assertThat(DynamoUrl.of("dynamodb://eu-central-1/locks?endpoint=http://[::1]:8000")
                        .place()
                        .endpoint())
                .isPresent();
        for (String bad : List.of("endpoint=http%3A%2F%2Fu%3AQzesf]Qwolt", "endpoint=http://[:::::]:1")) {
            assertThatThrownBy(() -> DynamoUrl.of("dynamodb://db/shop?" + bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasNoCause()
                    .hasMessageNotContaining("Qzesf");
        }
        assertThatThrownBy(() -> DynamoUrl.of("dynamodb://%00:secret@us-east-1/locks"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("environment");
    }

    @Test
    @DisplayName("however damaged, is taken, or refused in so many words")
    void damaged() {
        Fuzz.of(
                        "dynamodb://eu-central-1/locks?endpoint=http://localhost:8000&timeout=2s&history=off",
                        "dynamodb://key:secret@us-east-1/locks?retention=24h&index=on")
                .run(
                        DynamoUrl::of,
                        IllegalArgumentException.class,
                        url -> assertThat(url.place().table()).isNotBlank());
    }
}
