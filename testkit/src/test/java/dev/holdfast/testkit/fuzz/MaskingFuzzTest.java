package dev.holdfast.testkit.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.spi.StoreUrls;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("a URL as it is shown")
final class MaskingFuzzTest {
    @Test
    @DisplayName("never has a word of the secret in it, however badly that is written, and wherever it stands")
    void secretsAreHidden() {
        for (int i = 0; i < Fuzz.inputs(); i++) {
            OddUrl odd = OddUrl.any(new Random(i));
            String shown = StoreUrls.masked(odd.url());
            assertThat(odd.isShownIn(shown))
                    .as("input %s: %s shown as %s", i, odd.url(), shown)
                    .isFalse();
        }
    }

    @Test
    @DisplayName("is made of any text whatever, stays the same when it is shown again, and is never much longer")
    void anything() {
        Fuzz.of(
                        "postgresql://app:secret@db:5432/shop?sslmode=require&password=x",
                        "s3://bucket/prefix?endpoint=http://localhost:9000&region=eu-central-1",
                        "jdbc:mysql:loadbalance://a,b/db?user=u&password=p",
                        "sqlite:./locks.db?mode=exclusive&label=a%20b",
                        "http://localhost:8080,https://token@other:8443")
                .run(text -> {
                    String shown = StoreUrls.masked(text);
                    assertThat(StoreUrls.masked(shown)).isEqualTo(shown);
                    assertThat(shown.length()).isLessThanOrEqualTo(text.length() + 8);
                });
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://db/shop, postgresql://db/shop",
        "postgresql://app@db:5432/shop?sslmode=require, postgresql://app@db:5432/shop?sslmode=require",
        "postgresql://app:pw@db/shop, postgresql://app:***@db/shop",
        "postgresql://app:p/w@db/shop, postgresql://app:***@db/shop",
        "postgresql://app:p?w@db/shop, postgresql://app:***@db/shop",
        "postgresql://alice@corp:pw@db/shop, postgresql://alice@corp:***@db/shop",
        "postgresql://app:pw@[::1]:5432/shop, postgresql://app:***@[::1]:5432/shop",
        "jdbc:postgresql://db/shop?user=app&password=pw, jdbc:postgresql://db/shop?user=app&password=***",
        "mysql://(host=db)(password=pw)/shop, mysql://(host=db)(password=***",
        "postgresql://db/shop?sslmode=req@password=pw, postgresql://db/shop?sslmode=req@password=***",
        "app:pw@db/shop, app:***@db/shop",
        "postgresql:app:pw@db/shop, postgresql:***@db/shop",
        "https://token@host:8443/x, https://***@host:8443/x",
        "http://localhost:8080, http://localhost:8080",
        "s3://bucket/prefix?endpoint=http://localhost:9000, s3://bucket/prefix?endpoint=http://localhost:9000",
        "sqlite:/var/lib/a@b:c/locks.db?mode=exclusive, sqlite:/var/lib/a@b:c/locks.db?mode=exclusive",
        "file:/var/lib/a@b:c, file:/var/lib/a@b:c",
        "memory:, memory:",
    })
    @DisplayName("says what is not secret")
    void examples(String url, String shown) {
        assertThat(StoreUrls.masked(url)).isEqualTo(shown);
    }
}
