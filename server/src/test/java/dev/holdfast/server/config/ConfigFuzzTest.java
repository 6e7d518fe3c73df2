package dev.holdfast.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.config.values.Quantities;
import dev.holdfast.server.config.values.Texts;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import dev.holdfast.server.config.values.YamlText;
import dev.holdfast.testkit.fuzz.Fuzz;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("damaged settings are taken, or refused in so many words:")
final class ConfigFuzzTest {
    /** Reads what a checked refusal may refuse. */
    private interface Parser<T> {
        T read(String text) throws ValueRefusal, YamlText.Malformed;
    }

    private static <T> void run(Fuzz inputs, Parser<T> parser, java.util.function.Consumer<T> taken) {
        inputs.run(text -> {
            try {
                taken.accept(parser.read(text));
            } catch (ValueRefusal | YamlText.Malformed e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        });
    }

    @Test
    @DisplayName("durations, sizes and numbers, which stay within their bounds")
    void quantities() {
        run(
                Fuzz.of("30s", "1h30m", "500ms", "90d", "0s"),
                text -> Quantities.duration("1s", "1h").read(Value.Text.of(text)),
                time -> assertThat(time).isBetween(java.time.Duration.ofSeconds(1), java.time.Duration.ofHours(1)));
        run(
                Fuzz.of("64MB", "1KB", "1024", "1GB"),
                text -> Quantities.size("1KB", "1GB").read(Value.Text.of(text)),
                size -> assertThat(size).isBetween(1L << 10, 1L << 30));
        run(
                Fuzz.of("8080", "-1", "+7"),
                text -> Quantities.integer(1, 65_535).read(Value.Text.of(text)),
                number -> assertThat(number).isBetween(1, 65_535));
        run(
                Fuzz.of("0.5", "100", "1.25"),
                text -> Quantities.decimal(0, 100).read(Value.Text.of(text)),
                number -> assertThat(number).isBetween(0.0, 100.0));
    }

    @Test
    @DisplayName("URLs, paths, words and places of keys")
    void texts() {
        run(
                Fuzz.of("https://login.example.com/realms/ops", "http://[::1]:8080/x?y=z"),
                text -> Texts.webAddress().read(Value.Text.of(text)),
                uri -> assertThat(uri.getRawUserInfo()).isNull());
        run(
                Fuzz.of("postgresql://a:b@c/d", "sqlite:x"),
                text -> Texts.storeUrl().read(Value.Text.of(text)),
                url -> assertThat(url).contains(":"));
        run(
                Fuzz.of("/var/lib/holdfast", "./x"),
                text -> Texts.path().read(Value.Text.of(text)),
                path -> assertThat(path).isNotNull());
        run(
                Fuzz.of("file:/etc/state.key, env:STATE_KEY", "kms:arn:aws:kms:x"),
                text -> Texts.keySources().read(Value.Text.of(text)),
                keys -> assertThat(keys).allMatch(key -> key.matches("(?s)(file|env|kms):.*")));
    }

    @Test
    @DisplayName("YAML, which is neither deep nor refers to itself")
    void yaml() {
        run(
                Fuzz.of(
                        "server:\n  port: 8080\n  tls:\n    certificate: /a\nauth:\n  tokens:\n    - id: ci\n      sha256: ab\n",
                        "store: 'postgresql://a:b@c/d'\nlocks: {default-lease: 30s, x: [a, \"b\", null]}\n",
                        "a: &x [1]\nb: *x\n",
                        "a: !!java.net.URL [x]\n"),
                YamlText::parse,
                value -> assertThat(value.written()).isNotNull());
    }

    @Test
    @DisplayName("flags and variables, all problems of which are told at once")
    void settings(@TempDir Path directory) {
        int[] count = {0};
        Fuzz.of(
                        "--server.port=8080",
                        "--locks.default-lease=30s",
                        "--store=postgresql://a:b@c/d",
                        "--auth.tokens=[{id: ci, sha256: ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad}]",
                        "--state.encryption.keys=file:/a,env:B",
                        "--demo")
                .run(flag -> {
                    if (count[0]++ % 10 != 0) {
                        return; // each of these reads a hundred settings
                    }
                    try {
                        Settings.load(List.of(flag), Map.of("HOLDFAST_SERVER_HOST", "127.0.0.1"), directory);
                    } catch (ConfigProblems e) {
                        assertThat(e.problems()).isNotEmpty().allMatch(problem -> !problem.isBlank());
                    }
                });
    }
}
