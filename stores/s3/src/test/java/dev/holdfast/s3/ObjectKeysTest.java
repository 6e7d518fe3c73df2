package dev.holdfast.s3;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.model.RecordKey;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("the key of a lock's object")
class ObjectKeysTest {
    private final ObjectKeys keys = new ObjectKeys("p".repeat(255) + "/");
    private final ObjectKeys shown = new ObjectKeys("locks/");

    private String key(String namespace, String name) {
        return shown.of(new RecordKey(namespace, name));
    }

    @Test
    @DisplayName("can be read where the name is made of ordinary characters")
    void readable() {
        assertThat(key("default", "nightly-report_v1.2")).isEqualTo("locks/default/nightly-report_v1.2");
        assertThat(key("deploy", "stack:shop:env:prod")).isEqualTo("locks/deploy/stack:shop:env:prod");
        assertThat(key("default", "日本é")).isEqualTo("locks/default/日本é");
    }

    @Test
    @DisplayName("has no slash, dot or sign of the name that means something in a path")
    void escaped() {
        assertThat(key("default", "a/b c!d")).isEqualTo("locks/default/a!2Fb!20c!21d");
        assertThat(key("default", "..")).isEqualTo("locks/default/!2E.");
        assertThat(key("..", ".")).isEqualTo("locks/!2E./!2E");
        assertThat(key("default", "e\u0301😀")).isEqualTo("locks/default/e!CC!81!F0!9F!98!80");
    }

    @Test
    @DisplayName("fits whatever the name, and is another for every name")
    void fitsAndDiffers() {
        Random random = new Random(7);
        Set<String> names =
                new HashSet<>(List.of("x".repeat(512), "x".repeat(511) + "y", "日".repeat(512), "/".repeat(512)));
        String alphabet = "a/!~日😀. 2F";
        for (int i = 0; i < 5_000; i++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(i % 2 == 0 ? 4 : 250);
            for (int j = 0; j < length; j++) {
                int at = random.nextInt(alphabet.codePointCount(0, alphabet.length()));
                name.appendCodePoint(alphabet.codePointAt(alphabet.offsetByCodePoints(0, at)));
            }
            names.add(name.toString());
        }
        Set<String> found = new HashSet<>();
        for (String name : names) {
            String key = keys.of(new RecordKey("." + "n".repeat(63), name));
            assertThat(key.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1_024);
            assertThat(found.add(key)).as(name).isTrue();
        }
    }

    @Test
    @DisplayName("begins as the key of any beginning of the name, also of one that is cut")
    void beginnings() {
        for (String unit : List.of("a", "日", "/", "😀", ".é ")) {
            String name = unit.repeat(512 / unit.length());
            String key = shown.of(new RecordKey("default", name));
            for (int end = 0;
                    end <= name.length();
                    end = end == name.length() ? end + 1 : name.offsetByCodePoints(end, 1)) {
                assertThat(key).startsWith(shown.startingWith("default", name.substring(0, end)));
            }
        }
    }

    @Test
    @DisplayName("is never that of a probe")
    void probes() {
        assertThat(shown.isLock(shown.probe("x"))).isFalse();
        assertThat(shown.isLock(key(".probe", "x"))).isTrue();
    }
}
