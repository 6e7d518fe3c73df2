package dev.holdfast.jdbc.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("URLs of database servers")
class DatabaseUrlTest {
    private static DatabaseUrl of(String url) {
        return DatabaseUrl.of(url, "postgresql");
    }

    @Test
    @DisplayName("user and password are taken out and decoded, the rest goes to the driver")
    void parts() {
        DatabaseUrl url = of("postgres://app:s%40c%2Fret+1@db:5433/shop?sslmode=require");
        assertThat(url.jdbc()).isEqualTo("jdbc:postgresql://db:5433/shop?sslmode=require");
        assertThat(url.properties()).containsEntry("user", "app").containsEntry("password", "s@c/ret+1");
        assertThat(of("postgresql://db/shop").properties()).isEmpty();
        assertThat(of("jdbc:postgresql://db/shop").jdbc()).isEqualTo("jdbc:postgresql://db/shop");
    }

    @Test
    @DisplayName("a password is never shown, wherever it stands")
    void masked() {
        for (String url : new String[] {
            "postgresql://app:secret@db/shop",
            "postgresql://app:se@cret:secret@db/shop",
            "postgresql://db/shop?user=app&password=secret&sslmode=require",
            "jdbc:postgresql://db/shop?sslPassword=secret",
        }) {
            assertThat(of(url).shown()).doesNotContain("secret").contains("***", "db/shop");
            assertThat(of(url)).asString().doesNotContain("secret");
        }
    }

    @Test
    @DisplayName("several servers are told from several schemas")
    void severalHosts() {
        assertThat(of("postgresql://app@a:1,b:2/shop").hasSeveralHosts()).isTrue();
        assertThat(of("postgresql://app@a/shop?currentSchema=x,y").hasSeveralHosts())
                .isFalse();
    }

    @Test
    @DisplayName("what is missing is named, with an example")
    void missing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("postgresql://app:secret@db"))
                .withMessageContainingAll("database", "postgresql://user:password@host:port/database")
                .withMessageNotContaining("secret");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("postgresql:///shop"))
                .withMessageContaining("host");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> of("postgresql://app:100%@db/shop"))
                .withMessageContaining("%25");
    }
}
