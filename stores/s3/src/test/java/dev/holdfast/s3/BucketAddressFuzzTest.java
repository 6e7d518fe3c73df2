package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.fuzz.Fuzz;
import dev.holdfast.testkit.fuzz.OddUrl;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the URL of a bucket")
final class BucketAddressFuzzTest {
    @Test
    @DisplayName("however badly a secret is written into it, is taken or refused, and the secret is not shown")
    void odd() {
        for (int i = 0; i < Fuzz.inputs(); i++) {
            OddUrl odd = OddUrl.of("s3://", new Random(i));
            String said;
            try {
                said = BucketAddress.of(odd.url()).shown();
            } catch (IllegalArgumentException e) {
                said = e.getMessage() + " " + e.getCause();
            }
            assertThat(odd.isShownIn(said))
                    .as("input %s: %s: %s", i, odd.url(), said)
                    .isFalse();
        }
    }

    @Test
    @DisplayName("however damaged, is taken, or refused in so many words")
    void damaged() {
        Fuzz.of("s3://bucket/prefix?endpoint=http://localhost:9000&region=eu-central-1", "s3://bucket/?prefix=")
                .run(
                        BucketAddress::of,
                        IllegalArgumentException.class,
                        place -> assertThat(place.bucket()).isNotBlank());
    }
}
