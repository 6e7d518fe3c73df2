package dev.holdfast.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureMessageTest {
    @Test
    @DisplayName("durations are shown as they are typed")
    void durations() {
        assertThat(FailureMessage.of("lease 'PT0.05S' must be between PT0.1S and PT24H"))
                .isEqualTo("lease '50ms' must be between 100ms and 24h");
        assertThat(FailureMessage.of("did not end within PT1M30S")).isEqualTo("did not end within 1m30s");
        assertThat(FailureMessage.of("a PART, a P, 'PT', PTA and stack:P1"))
                .isEqualTo("a PART, a P, 'PT', PTA and stack:P1");
        assertThat(FailureMessage.written(Duration.ZERO)).isEqualTo("0s");
    }

    @Test
    @DisplayName("names of Java's failures are left out")
    void exceptions() {
        assertThat(FailureMessage.of("cannot be read: java.nio.file.NoSuchFileException: x.pem"))
                .isEqualTo("cannot be read: x.pem");
    }

    @Test
    @DisplayName("headers and fields become options")
    void options() {
        assertThat(FailureMessage.of("http://a refused it: Credentials are needed: send 'Authorization: Bearer TOKEN'"))
                .isEqualTo("http://a refused it: A token is needed: name a file that has it with --token-file or"
                        + " HOLDFAST_TOKEN_FILE");
        assertThat(FailureMessage.of("No safe connection to https://locks:8443: PKIX path building failed: x. Check the"
                        + " certificate of the server, and which ones are trusted here (ca_file)"))
                .isEqualTo("The certificate of locks:8443 is not trusted here: name its authority with --ca-file or"
                        + " HOLDFAST_CA_FILE");
        assertThat(FailureMessage.of("No safe connection to https://locks: No name matching locks found. Check the"
                        + " certificate of the server, and which ones are trusted here (ca_file)"))
                .startsWith("No safe connection to https://locks (No name matching locks found). Does it speak HTTPS")
                .doesNotContain("ca_file");
    }

    @ParameterizedTest
    @DisplayName("a duration may be a number of seconds, also a part of one, or have units")
    @CsvSource({
        "3, PT3S",
        "0.5, PT0.5S",
        "0, PT0S",
        "500ms, PT0.5S",
        "2m, PT2M",
        "1h30m, PT1H30M",
        "1.5h, PT1H30M",
        "2d, PT48H",
        "0.25s, PT0.25S"
    })
    void written(String text, Duration expected) {
        assertThat(new TimeConverters.OfDuration().convert(text)).isEqualTo(expected);
    }
}
