package dev.holdfast.cli.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a screen shows")
final class ScreenTest {
    @Test
    @DisplayName("ages have the two largest units that matter")
    void ages() {
        assertThat(Ages.of(Duration.ZERO)).isEqualTo("0s");
        assertThat(Ages.of(Duration.ofMillis(-5))).isEqualTo("0s");
        assertThat(Ages.of(Duration.ofMillis(250))).isEqualTo("250ms");
        assertThat(Ages.of(Duration.ofSeconds(192))).isEqualTo("3m12s");
        assertThat(Ages.of(Duration.ofHours(2))).isEqualTo("2h");
        assertThat(Ages.of(Duration.ofHours(2).plusSeconds(5))).isEqualTo("2h");
        assertThat(Ages.of(Duration.ofDays(3).plusHours(4))).isEqualTo("3d4h");
        assertThat(Ages.inWords(Duration.ofMinutes(225))).isEqualTo("3 hours 45 minutes");
        assertThat(Ages.inWords(Duration.ofHours(1))).isEqualTo("1 hour");
        assertThat(Ages.inWords(Duration.ZERO)).isEqualTo("0 seconds");
        assertThat(Ages.roughly(Duration.ofMinutes(225))).isEqualTo("3 hours");
    }

    @Test
    @DisplayName("long texts lose their middle and never become wider than asked, wide letters included")
    void cut() {
        assertThat(Screen.cut("abcdefghij", 10)).isEqualTo("abcdefghij");
        assertThat(Screen.cut("abcdefghij", 7)).isEqualTo("abc…hij");
        assertThat(Screen.width("検査a")).isEqualTo(5);
        for (int columns = 3; columns < 20; columns++) {
            assertThat(Screen.width(Screen.cut("検査-Prüfung-検査-end", columns))).isLessThanOrEqualTo(columns);
        }
    }

    @Test
    @DisplayName("nothing that moves the cursor or turns the writing gets through")
    void clean() {
        assertThat(Screen.clean("a\u001b[2J\u202eb\n")).isEqualTo("a?[2J?b?");
    }

    @Test
    @DisplayName("a table leaves out empty columns, and its lines do not end in blanks")
    void table() {
        Table<String> table = new Table<String>()
                .column("ONE", it -> it)
                .column("NONE", it -> "")
                .flexible("LAST", it -> it.equals("a") ? "x" : "");
        StringWriter text = new StringWriter();
        table.print(List.of("a", "long"), new PrintWriter(text, true), OptionalInt.empty(), false);
        assertThat(text).hasToString("ONE   LAST\na     x\nlong\n");
    }

    @Test
    @DisplayName("YAML quotes what could be taken for something other than text")
    void yaml() {
        assertThat(
                        Yaml.ofJson(
                                "{\"a\":\"yes\",\"b\":\"x: y\",\"c\":\"012\",\"d\":[],\"e\":{},\"f\":[1,{\"g\":null,\"h\":[\"i\"]}],\"j\":\"\\u0001\\n\"}"))
                .isEqualTo(
                        "a: \"yes\"\nb: \"x: y\"\nc: \"012\"\nd: []\ne: {}\nf:\n  - 1\n  - g: null\n    h:\n      - i\nj: \"\\x01\\n\"\n");
    }
}
