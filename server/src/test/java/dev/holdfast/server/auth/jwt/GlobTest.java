package dev.holdfast.server.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.server.auth.Glob;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("a pattern")
class GlobTest {
    @ParameterizedTest
    @CsvSource({
        "acme/shop, acme/shop, true",
        "acme/shop, acme/shop2, false",
        "acme/shop, ACME/shop, false",
        "acme/*, acme/shop, true",
        "acme/*, acme/, true",
        "acme/*, evil/acme/shop, false",
        "*/shop, acme/shop, true",
        "*/shop, acme/shop/x, false",
        "a*b*c, abc, true",
        "a*b*c, aXbXc, true",
        "a*b*c, acb, false",
        "ab*ba, aba, false",
        "ab*ba, abba, true",
        "*aab*, aaab, true",
        "a.c, abc, false",
        "[ab], a, false",
        "*, '', true",
        "**, x, true"
    })
    @DisplayName("matches the whole text, and only * is special")
    void matches(String pattern, String text, boolean expected) {
        assertThat(new Glob(pattern).matches(text)).isEqualTo(expected);
    }

    @Test
    @DisplayName("agrees with the regular expression that it stands for, for random texts")
    void random() {
        Random random = new Random(15);
        for (int i = 0; i < 20_000; i++) {
            String pattern = letters(random, "ab*", 1 + random.nextInt(8));
            String text = letters(random, "ab", random.nextInt(12));
            Pattern same = Pattern.compile(pattern.replace("*", ".*"), Pattern.DOTALL);
            assertThat(new Glob(pattern).matches(text))
                    .as("'%s' and '%s'", pattern, text)
                    .isEqualTo(same.matcher(text).matches());
        }
    }

    private static String letters(Random random, String from, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(from.charAt(random.nextInt(from.length())));
        }
        return text.toString();
    }

    @Test
    @DisplayName("takes time in proportion, also for what makes others try without end")
    void linear() {
        Glob nasty = new Glob("a" + "*a".repeat(120) + "*b" + "*" + "a".repeat(100) + "b");
        String text = "a".repeat(200_000);
        long start = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(nasty.matches(text)).isFalse();
            assertThat(new Glob("*" + "a".repeat(400) + "b*").matches(text)).isFalse();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    @DisplayName("is not empty, not endless, and can be shown")
    void refused() {
        for (String pattern : List.of("", "a\nb", "x".repeat(501))) {
            assertThatThrownBy(() -> new Glob(pattern)).hasMessageContaining("1 to 500 printable");
        }
    }

    @Test
    @DisplayName(
            "of claims: one entry of a list is enough, objects and missing claims never match, fields are found by dots")
    void claims() {
        Map<String, Object> token = Map.of(
                "ref_protected",
                true,
                "run",
                17L,
                "groups",
                List.of("ops", "dev", List.of("nested"), Map.of("x", "y")),
                "realm",
                Map.of("roles", List.of("deployer"), "name", "acme"),
                "https://acme.example/team",
                "shop",
                "half",
                1.5);
        assertMatches(token, "ref_protected", "true");
        assertMatches(token, "run", "17");
        assertMatches(token, "groups", "dev");
        assertMatches(token, "realm.roles", "deploy*");
        assertMatches(token, "realm.name", "acme");
        assertMatches(token, "https://acme.example/team", "shop");
        for (Map.Entry<String, String> wrong : List.of(
                Map.entry("ref_protected", "false"),
                Map.entry("groups", "nested"),
                Map.entry("groups", "op"),
                Map.entry("realm", "*"),
                Map.entry("missing", "*"),
                Map.entry("realm.missing", "*"),
                Map.entry("run.x", "*"),
                Map.entry("half", "*"))) {
            assertThat(rules(wrong.getKey(), wrong.getValue()).mismatch(token)).contains(wrong.getKey());
        }
    }

    private static void assertMatches(Map<String, Object> token, String claim, String pattern) {
        assertThat(rules(claim, pattern).mismatch(token)).isEmpty();
    }

    private static ClaimRules rules(String claim, String pattern) {
        return ClaimRules.spelled(Map.of(claim, List.of("never", pattern)));
    }
}
