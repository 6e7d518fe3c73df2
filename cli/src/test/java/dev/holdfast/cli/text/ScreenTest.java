package dev.holdfast.cli.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import dev.holdfast.wire.json.Json;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
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
            assertThat(Screen.width(Screen.start("検査-Prüfung-検査-end", columns))).isLessThanOrEqualTo(columns);
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
        assertThat(printed(table, List.of("a", "long"), new Table.Room(OptionalInt.empty(), false, false)))
                .isEqualTo("ONE   LAST\na     x\nlong\n");
    }

    @Test
    @DisplayName(
            "where there is no room texts are cut, then columns left out, the least important first; names are never cut")
    void narrow() {
        String name = "billing:a-name-of-thirty-letters-x";
        Table<String> table = new Table<String>()
                .column("KEY", it -> it)
                .flexible("HOLDER", it -> "somebody-with-a-long-name")
                .column("HELD", it -> "3m12s")
                .column("TOKEN", it -> "17")
                .flexible("REASON", it -> "because it is night and nobody is at work")
                .dropping("REASON", "HELD")
                .wideOnly("TOKEN");
        assertThat(at(table, name, 80).lines().map(Screen::width)).allMatch(width -> width <= 80);
        assertThat(at(table, name, 80)).contains(name, "3m12s", "…").doesNotContain("17");
        assertThat(at(table, name, 60)).contains(name, "HELD").doesNotContain("REASON");
        assertThat(at(table, name, 50)).contains(name, "HOLDER").doesNotContain("HELD");
        assertThat(at(table, name, 20)).contains(name);
        assertThat(printed(table, List.of(name), new Table.Room(OptionalInt.of(40), true, false)))
                .contains("17", "somebody-with-a-long-name", "because it is night and nobody is at work");
    }

    private static String at(Table<String> table, String name, int width) {
        return printed(table, List.of(name), new Table.Room(OptionalInt.of(width), false, false));
    }

    private static String printed(Table<String> table, List<String> rows, Table.Room room) {
        StringWriter text = new StringWriter();
        table.print(rows, new PrintWriter(text, true), room);
        return text.toString();
    }

    @Test
    @DisplayName("a field is found below members and lists; one that is nowhere is named with those that are there")
    void fields() {
        Json lock = Json.parse("""
                {"name":"a","holders":[{"owner":"x","path":null},{"owner":"two\\nlines","path":"p"}],"count":2}
                """.getBytes(StandardCharsets.UTF_8));
        assertThat(new FieldPath("name").of(List.of(lock))).containsExactly("a");
        assertThat(new FieldPath("holders.owner").of(List.of(lock))).containsExactly("x", "two\\nlines");
        assertThat(new FieldPath("holders[1].path").of(List.of(lock))).containsExactly("p");
        assertThat(new FieldPath("holders[0].path").of(List.of(lock))).containsExactly("");
        assertThat(new FieldPath("more[a.b].c")
                        .of(List.of(Json.parse("{\"more\":{\"a.b\":{\"c\":1}}}".getBytes(StandardCharsets.UTF_8)))))
                .containsExactly("1");
        assertThat(new FieldPath("holders[7].path").of(List.of(lock))).isEmpty();
        assertThat(new FieldPath("name").of(List.of())).isEmpty();
        assertThatThrownBy(() -> new FieldPath("nam").of(List.of(lock)))
                .hasMessageContaining("'nam'")
                .hasMessageContaining("count, holders, name");
        assertThat(FieldPath.of(".holders[*].owner")).isEqualTo(new FieldPath("holders.owner"));
        assertThatThrownBy(() -> new FieldPath("a..b")).hasMessageContaining("names no field");
    }

    @Test
    @DisplayName("a lock in one word: what is shown can be typed again, whatever signs are in its name")
    void keys() {
        assertThat(KeyText.parse("x", "here")).isEqualTo(LockKey.of("here", "x"));
        assertThat(KeyText.parse("billing:x", "here")).isEqualTo(LockKey.of("billing", "x"));
        assertThat(KeyText.parse("billing:x/a/b", "here"))
                .isEqualTo(LockKey.of("billing", "x").at("a/b"));
        assertThat(KeyText.parse("deploy:stack:shop:env:prod:component:users/api", "here"))
                .isEqualTo(LockKey.of("deploy", "stack:shop:env:prod").at("users/api"));
        for (String name : List.of("a", "a:b", "a/b", "/", "50%", "%2F", "a%25b", "stack:shop:env:prod", "a b")) {
            LockKey whole = new LockKey(new RecordKey("n", name), LockPath.WHOLE);
            assertThat(KeyText.parse(KeyText.of(whole), "other")).isEqualTo(whole);
            assertThat(KeyText.parse(KeyText.of(whole.at("p/q")), "other")).isEqualTo(whole.at("p/q"));
            LockKey deployed = new LockKey(new RecordKey("deploy", "job:service:" + name), LockPath.WHOLE);
            assertThat(KeyText.parse(KeyText.of(deployed), "other")).isEqualTo(deployed);
        }
        for (String wrong : List.of("", ":x", "a:", "a/", "/a", "a:/b", "b ad:x", "a//b")) {
            assertThatThrownBy(() -> KeyText.parse(wrong, "here")).isInstanceOf(IllegalArgumentException.class);
        }
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
