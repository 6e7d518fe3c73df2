package dev.holdfast.server.observe.logs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a text that leaves the server")
class LogMaskTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "connecting to postgresql://app:hunter2@db/locks failed",
                "see jdbc:mysql://db/x?user=a&password=hunter2 for more",
                "password=hunter2",
                "DB_PASSWORD: hunter2, host: db",
                "{\"client_secret\": \"hunter2\"}",
                "Authorization: Bearer hunter2hunter2",
                "sent basic hunter2hunter2==",
                "token hf_hunter2hunter2hunter2 was refused",
                "aws.secretAccessKey='hunter2 with spaces'",
                "eyJhbGciOiJub25lIn0.hunter2hunter2.sig is no JWT of ours",
                "-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----"
            })
    @DisplayName("has no secret in it")
    void hidden(String text) {
        assertThat(LogMask.masked(text)).doesNotContain("hunter2").contains("***");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Listening on http://127.0.0.1:8080",
                "POST /v2/locks/acquire failed: no answer request_id=9kq2x1-4f status=503",
                "lock=billing:invoice-run fencing_token=42 took_ms=1200",
                "config.changed: auth.tokens +ci, -old by holdfast.yaml:12"
            })
    @DisplayName("has everything else")
    void shown(String text) {
        assertThat(LogMask.masked(text)).isEqualTo(text);
    }

    @Test
    @DisplayName("is looked at once, however long a word in it is")
    void quick() {
        String word = "a.b-c_".repeat(200_000);
        long start = System.nanoTime();
        assertThat(LogMask.masked(word)).isEqualTo(word);
        assertThat(System.nanoTime() - start).isLessThan(5_000_000_000L);
    }
}
