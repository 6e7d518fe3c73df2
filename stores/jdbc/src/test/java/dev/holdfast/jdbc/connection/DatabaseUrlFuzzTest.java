package dev.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.testkit.fuzz.Fuzz;
import dev.holdfast.testkit.fuzz.OddUrl;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the URL of a database")
final class DatabaseUrlFuzzTest {
    @Test
    @DisplayName(
            "however badly its password is written, is taken or refused, and the password is shown in neither case")
    void odd() {
        for (int i = 0; i < Fuzz.inputs(); i++) {
            OddUrl odd = OddUrl.of("postgresql://", new Random(i));
            String said;
            try {
                said = DatabaseUrl.of(odd.url(), "postgresql").toString();
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
        Fuzz.of(
                        "postgresql://app:s%40c@db:5432/shop?sslmode=require",
                        "mariadb://a:1,b:2/x?user=u&password=p", "postgresql://[::1]/x")
                .run(
                        text -> DatabaseUrl.of(text.contains("://") ? text : "postgresql://" + text, "postgresql"),
                        IllegalArgumentException.class,
                        url -> {
                            assertThat(url.jdbc()).startsWith("jdbc:");
                            url.hasSeveralHosts();
                        });
    }
}
