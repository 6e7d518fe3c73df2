package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.documents.WriteOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Conditions, tags, and writes of several changes. */
abstract class DocumentWriteCases extends DocumentCases {

    @Test
    @DisplayName("what was never written is not there")
    void nothingThere() {
        assertAbsent(NAME);
        assertThat(store().list(ListRequest.of("", 10)).heads()).isEmpty();
    }

    @Test
    @DisplayName("if it must be absent, is made once; the second is told what is there")
    void absent() {
        DocumentHead made = written(store().write(put(NAME, Condition.absent(), "one")));
        assertIs(made, "one");
        assertRefused(store().write(put(NAME, Condition.absent(), "two")), 0, Optional.of(made));
        assertIs(made, "one");
    }

    @Test
    @DisplayName("if it must have a tag, is made while it has; then it has another, and the old one is refused")
    void tagged() {
        DocumentHead one = write(NAME, "one");
        DocumentHead two = written(store().write(put(NAME, Condition.tagged(one.tag()), "two")));
        assertThat(two.tag()).isNotEqualTo(one.tag());
        assertRefused(store().write(put(NAME, Condition.tagged(one.tag()), "three")), 0, Optional.of(two));
        assertIs(two, "two");
    }

    @Test
    @DisplayName("if it must have a tag and is not there, is refused, and told so; so is one with a tag nobody gave")
    void taggedButAbsent() {
        assertRefused(store().write(put(NAME, Condition.tagged("0"), "one")), 0, Optional.empty());
        assertRefused(store().write(Change.delete(NAME, Condition.tagged("0"))), 0, Optional.empty());
        assertRefused(store().write(Change.mark(NAME, "0", Map.of())), 0, Optional.empty());
        DocumentHead one = write(NAME, "one");
        for (String tag : List.of("", "0", "\"*\"", "*", "x' or 'a' = 'a", "é\n")) {
            assertRefused(store().write(put(NAME, Condition.tagged(tag), "two")), 0, Optional.of(one));
            assertRefused(store().write(Change.delete(NAME, Condition.tagged(tag))), 0, Optional.of(one));
            assertRefused(store().write(Change.mark(NAME, tag, Map.of())), 0, Optional.of(one));
        }
        assertIs(one, "one");
    }

    @Test
    @DisplayName("without a condition is made whatever is there")
    void unconditional() {
        assertIs(write(NAME, "one"), "one");
        assertIs(write(NAME, "two"), "two");
    }

    @Test
    @DisplayName("a deleted one is gone, by its tag or without; deleting nothing, without a condition, is no error")
    void deleted() {
        DocumentHead one = write(NAME, "one");
        assertThat(allWritten(store().write(Change.delete(NAME, Condition.tagged(one.tag())))))
                .isEmpty();
        assertAbsent(NAME);
        write(NAME, "two");
        assertThat(allWritten(store().write(Change.delete(NAME, Condition.none()))))
                .isEmpty();
        assertAbsent(NAME);
        assertThat(allWritten(store().write(Change.delete(NAME, Condition.none()))))
                .isEmpty();
        assertThat(allWritten(store().write(Change.delete(NAME, Condition.absent()))))
                .isEmpty();
    }

    @Test
    @DisplayName("a deletion by an old tag is refused and told what is there; so is one of what must not be there")
    void deletionRefused() {
        DocumentHead one = write(NAME, "one");
        DocumentHead two = write(NAME, "two");
        assertRefused(store().write(Change.delete(NAME, Condition.tagged(one.tag()))), 0, Optional.of(two));
        assertRefused(store().write(Change.delete(NAME, Condition.absent())), 0, Optional.of(two));
        assertIs(two, "two");
    }

    @Test
    @DisplayName(
            "a tag never comes back: not with the same bytes and attributes, not after a deletion, not from A to B to A")
    void tagsNeverRepeat() {
        Set<String> seen = new HashSet<>();
        List<String> old = new ArrayList<>();
        for (int round = 0; round < 3; round++) {
            for (String text : List.of("A", "A", "B", "A")) {
                DocumentHead head = write(NAME, text);
                assertThat(seen.add(head.tag())).as("a new tag").isTrue();
                old.add(head.tag());
            }
            DocumentHead marked =
                    written(store().write(Change.mark(NAME, old.get(old.size() - 1), Map.of("said", "A"))));
            assertThat(seen.add(marked.tag())).as("a new tag").isTrue();
            for (String tag : old) {
                assertRefused(store().write(put(NAME, Condition.tagged(tag), "late")), 0, Optional.of(marked));
            }
            old.add(marked.tag());
            store().write(Change.delete(NAME, Condition.none()));
        }
    }

    @Test
    @DisplayName("a mark replaces all attributes and the tag, and keeps the content")
    void marked() {
        DocumentHead one = write(NAME, "one");
        DocumentHead marked = written(store().write(Change.mark(NAME, one.tag(), Map.of("token", "42", "lease", "x"))));
        assertThat(marked.tag()).isNotEqualTo(one.tag());
        assertThat(marked.size()).isEqualTo(3);
        assertThat(marked.attributes()).isEqualTo(Map.of("token", "42", "lease", "x"));
        assertIs(marked, "one");
        assertRefused(store().write(Change.mark(NAME, one.tag(), Map.of())), 0, Optional.of(marked));
        assertRefused(store().write(put(NAME, Condition.tagged(one.tag()), "late")), 0, Optional.of(marked));
        DocumentHead two = written(store().write(put(NAME, Condition.tagged(marked.tag()), "two")));
        assertIs(two, "two");
    }

    @Test
    @DisplayName("a mark of an empty document keeps it empty")
    void emptyMarked() {
        DocumentHead one = written(store().write(Change.put(NAME, Condition.absent(), new byte[0], Map.of())));
        assertIs(written(store().write(Change.mark(NAME, one.tag(), Map.of("token", "1")))), "");
    }

    @Test
    @DisplayName("several changes are made in one write, and their heads told in order")
    void several() {
        DocumentHead one = write(NAME, "one");
        DocumentHead gone = write("gone", "gone");
        List<DocumentHead> heads = allWritten(store().write(List.of(
                put(OTHER, Condition.absent(), "two"),
                Change.delete("gone", Condition.tagged(gone.tag())),
                put(NAME, Condition.tagged(one.tag()), "two"))));
        assertThat(heads).extracting(DocumentHead::name).containsExactly(OTHER, NAME);
        assertIs(heads.get(0), "two");
        assertIs(heads.get(1), "two");
        assertAbsent("gone");
    }

    @Test
    @DisplayName("of several changes the first refused one is told, and neither it nor a later one is made")
    void firstRefused() {
        DocumentHead one = write(NAME, "one");
        WriteOutcome outcome = store().write(List.of(
                put("a", Condition.absent(), "a"),
                put(NAME, Condition.tagged("0"), "late"),
                put("b", Condition.absent(), "b"),
                put("c", Condition.tagged("0"), "c")));
        assertRefused(outcome, 1, Optional.of(one));
        assertIs(one, "one");
        assertAbsent("b");
        assertAbsent("c");
        if (store().isAtomic()) {
            assertAbsent("a");
        }
    }

    @Test
    @DisplayName(
            "two documents with the same bytes live their own lives, written together or not, in whatever order they go")
    void sameBytes() {
        allWritten(store().write(List.of(put(NAME, Condition.none(), "same"), put(OTHER, Condition.none(), "same"))));
        write("third", "same");
        write(NAME, "new");
        assertThat(store().get(OTHER).orElseThrow().content()).isEqualTo(bytes("same"));
        allWritten(store().write(
                        List.of(Change.delete(OTHER, Condition.none()), put("fourth", Condition.absent(), "same"))));
        store().write(Change.delete("third", Condition.none()));
        assertThat(store().get("fourth").orElseThrow().content()).isEqualTo(bytes("same"));
        store().write(Change.delete("fourth", Condition.none()));
        write(OTHER, "same");
        assertThat(store().get(OTHER).orElseThrow().content()).isEqualTo(bytes("same"));
        assertThat(store().get(NAME).orElseThrow().content()).isEqualTo(bytes("new"));
    }

    @Test
    @DisplayName("as many changes as one write may have are made; one more, none, or two of one document are refused")
    void bounds() {
        List<Change> most = new ArrayList<>();
        for (int i = 0; i < Change.MAX_CHANGES; i++) {
            most.add(put("many/" + i, Condition.absent(), "text " + i));
        }
        List<Change> some = most.subList(0, Math.min(most.size(), fixture().many()));
        assertThat(allWritten(store().write(some))).hasSameSizeAs(some);
        List<Change> more = new ArrayList<>(most);
        more.add(put("one-more", Condition.none(), "x"));
        assertThatIllegalArgumentException().isThrownBy(() -> store().write(more));
        assertThatIllegalArgumentException().isThrownBy(() -> store().write(List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        store().write(List.of(put(NAME, Condition.none(), "x"), Change.delete(NAME, Condition.none()))))
                .withMessageContaining(NAME);
        assertAbsent(NAME);
    }
}
