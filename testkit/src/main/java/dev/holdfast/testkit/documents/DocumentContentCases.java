package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentNames;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Bytes, attributes and names. */
abstract class DocumentContentCases extends DocumentCases {

    @Test
    @DisplayName("nothing at all is a content too")
    void empty() {
        assertKept(new byte[0]);
    }

    @Test
    @DisplayName("every value of a byte, in any order, with zeros at both ends")
    void everyByte() {
        byte[] content = new byte[3 * 256];
        for (int i = 0; i < content.length; i++) {
            content[i] = (byte) (i * 7);
        }
        assertKept(content);
    }

    @Test
    @DisplayName(
            "what looks like text of another kind stays as it is: line ends, a byte order mark, quotes, no last line break")
    void textStays() {
        assertKept(bytes("\uFEFF{\r\n\t\"serial\": 1.0,\r \"é\": \"\\u00e9'\\\\\"}"));
    }

    @Test
    @DisplayName("a large one")
    void large() {
        byte[] content = new byte[fixture().large()];
        new Random(42).nextBytes(content);
        assertKept(content);
    }

    private void assertKept(byte[] content) {
        DocumentHead head = written(store().write(Change.put(NAME, Condition.absent(), content, Map.of())));
        assertThat(head.size()).isEqualTo(content.length);
        Document found = store().get(NAME).orElseThrow();
        assertThat(found.head()).isEqualTo(head);
        assertThat(found.content()).isEqualTo(content);
        assertThat(store().look(NAME)).contains(head);
    }

    @Test
    @DisplayName("no attributes, all that fit, and any printable character in them")
    void attributes() {
        assertThat(write("none", "x").attributes()).isEqualTo(Map.of("said", "x"));
        StringBuilder printable = new StringBuilder();
        for (char c = ' '; c <= '~'; c++) {
            printable.append(c);
        }
        Map<String, String> most = new TreeMap<>();
        most.put("printable", printable.toString());
        most.put("empty", "");
        most.put("spaces", "  a  b  ");
        most.put("equals", "a=b=c");
        most.put("name-with-32-characters-is-longest".substring(0, 32), "x");
        for (int i = most.size(); i < Change.MAX_ATTRIBUTES; i++) {
            most.put("a" + i, "v" + i);
        }
        int used = most.entrySet().stream()
                .mapToInt(one -> one.getKey().length() + one.getValue().length())
                .sum();
        most.put("empty", "e".repeat(Change.MAX_ATTRIBUTE_TEXT - used));
        DocumentHead head = written(store().write(Change.put(NAME, Condition.none(), bytes("x"), most)));
        assertThat(head.attributes()).isEqualTo(most);
        assertThat(store().look(NAME)).contains(head);
        assertThat(store().get(NAME).orElseThrow().head()).isEqualTo(head);
        DocumentHead bare = written(store().write(Change.mark(NAME, head.tag(), Map.of())));
        assertThat(store().look(NAME)).contains(bare);
        assertThat(bare.attributes()).isEmpty();
    }

    @Test
    @DisplayName("every name that is allowed, the longest too, and names that differ only in case stay two")
    void names() {
        String longest = "s".repeat(DocumentNames.MAX_SEGMENT);
        String deepest = String.join("/", longest, longest, longest);
        List<String> allowed = List.of(
                "a",
                "a-b/c.d_e:f@g=h+i,j#k~l-m",
                "UPPER/lower/Mixed",
                "upper/lower/mixed",
                "1/2/3",
                "x..y/z.",
                deepest);
        for (String name : allowed) {
            write(name, name);
        }
        for (String name : allowed) {
            assertThat(store().get(name).orElseThrow().content()).isEqualTo(bytes(name));
        }
    }

    @Test
    @DisplayName("a name that leads elsewhere, or is no name, is refused before anything is done")
    void refusedNames() {
        for (String name : List.of(
                "",
                "/",
                "/etc/passwd",
                "a/",
                "a//b",
                "..",
                "../a",
                "a/../b",
                "a/./b",
                ".hidden",
                "a/.b",
                "a b",
                "a\\b",
                "a\u0000b",
                "é",
                "a%2e",
                "a*",
                "a?b",
                "s".repeat(DocumentNames.MAX_SEGMENT + 1),
                "s/".repeat(DocumentNames.MAX_NAME / 2) + "s")) {
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> store().look(name));
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> store().get(name));
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> write(name, "x"));
        }
    }

    @Test
    @DisplayName("a content larger than the store takes is refused, and the bound is told")
    void tooLarge() {
        long bound = store().maxSize();
        assertThat(bound).isGreaterThanOrEqualTo(300_000);
        assumeTrue(bound <= 20_000_000, "a content above this store's bound would not fit into the memory of a test");
        byte[] content = new byte[(int) bound + 1];
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store().write(Change.put(NAME, Condition.none(), content, Map.of())))
                .withMessageContaining(NAME)
                .withMessageContaining(Long.toString(bound));
        assertAbsent(NAME);
        store().write(Change.put(NAME, Condition.none(), new byte[(int) bound], Map.of()));
        assertThat(store().get(NAME).orElseThrow().content()).hasSize((int) bound);
    }
}
