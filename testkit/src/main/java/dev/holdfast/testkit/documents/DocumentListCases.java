package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentPage;
import dev.holdfast.documents.ListRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Which documents are listed, in which order, and how pages follow one another. */
abstract class DocumentListCases extends DocumentCases {
    /** In the order of their bytes; {@code /} comes after {@code # + , - .} and before digits and letters. */
    private static final List<String> NAMES = List.of(
            "a#/x",
            "a+/state.json",
            "a-b/state.json",
            "a.b",
            "a/b/state.json",
            "a/c",
            "a0/state.json",
            "a:b/c",
            "aA/state.json",
            "aB",
            "a_/z",
            "aa/state.json.lock",
            "b/state.json",
            "state.json");

    private void writeAll() {
        List<String> mixed = new ArrayList<>(NAMES);
        Collections.shuffle(mixed, new java.util.Random(7));
        mixed.forEach(name -> write(name, name));
    }

    private List<String> names(ListRequest request) {
        return store().list(request).heads().stream().map(DocumentHead::name).toList();
    }

    @Test
    @DisplayName("is in the order of the names' bytes, up or down, whatever the order they were written in")
    void order() {
        writeAll();
        assertThat(names(ListRequest.of("", 1_000))).isEqualTo(NAMES);
        List<String> down = new ArrayList<>(NAMES);
        Collections.reverse(down);
        assertThat(names(ListRequest.of("", 1_000).descending())).isEqualTo(down);
    }

    @Test
    @DisplayName("has the heads as they are, and no deleted one")
    void heads() {
        DocumentHead one = write("a/one", "1");
        DocumentHead two = write("a/two", "22");
        write("a/gone", "x");
        store().write(Change.delete("a/gone", Condition.none()));
        DocumentHead marked = written(store().write(Change.mark("a/one", one.tag(), java.util.Map.of("k", "v"))));
        assertThat(store().list(ListRequest.of("a/", 10)))
                .isEqualTo(new DocumentPage(List.of(marked, two), Optional.empty()));
    }

    @Test
    @DisplayName(
            "by prefix has exactly the names that start so; a prefix may end within a segment, and nothing in it is a wildcard")
    void prefix() {
        writeAll();
        for (String prefix : List.of(
                "a", "a/", "a/b", "a/b/state.json", "a/b/state.jsonx", "aA/", "b", "zzz", "a_", "a%", "/", "..", "é")) {
            assertThat(names(ListRequest.of(prefix, 1_000)))
                    .as(prefix)
                    .isEqualTo(NAMES.stream()
                            .filter(name -> name.startsWith(prefix))
                            .toList());
        }
    }

    @Test
    @DisplayName("by leaf has exactly the names whose last segment it is")
    void leaf() {
        writeAll();
        assertThat(names(ListRequest.of("", 1_000).ending("state.json")))
                .containsExactly(
                        "a+/state.json",
                        "a-b/state.json",
                        "a/b/state.json",
                        "a0/state.json",
                        "aA/state.json",
                        "b/state.json",
                        "state.json");
        assertThat(names(ListRequest.of("a/", 1_000).ending("state.json"))).containsExactly("a/b/state.json");
        assertThat(names(ListRequest.of("", 1_000).ending("b/state.json"))).isEmpty();
        assertThat(names(ListRequest.of("", 2).ending("state.json").descending()))
                .containsExactly("state.json", "b/state.json");
        assertThat(names(ListRequest.of("", 2).ending("state.json").after(Optional.of("a/b/state.json"))))
                .containsExactly("a0/state.json", "aA/state.json");
    }

    @Test
    @DisplayName("goes on after any name, there or not, up and down")
    void after() {
        writeAll();
        for (String last : List.of("a.b", "a", "a/b/z", "zzz", "0", "")) {
            ListRequest request = ListRequest.of("a", 1_000).after(Optional.of(last));
            assertThat(names(request))
                    .as("after " + last)
                    .isEqualTo(NAMES.stream().filter(request::matches).toList());
            ListRequest down = request.descending();
            List<String> before =
                    new ArrayList<>(NAMES.stream().filter(down::matches).toList());
            Collections.reverse(before);
            assertThat(names(down)).as("before " + last).isEqualTo(before);
        }
    }

    @Test
    @DisplayName("tells whether there is more, exactly: a page that is full and the last one says that it is the last")
    void more() {
        writeAll();
        int all = NAMES.size();
        assertThat(store().list(ListRequest.of("", all)).next()).isEmpty();
        assertThat(store().list(ListRequest.of("", all - 1)).next()).contains(NAMES.get(all - 2));
        assertThat(store().list(ListRequest.of("", 1)).next()).contains(NAMES.get(0));
        assertThat(store().list(ListRequest.of("", 1).descending()).next()).contains(NAMES.get(all - 1));
        assertThat(store().list(ListRequest.of("", 6).ending("state.json")).next())
                .contains("b/state.json");
        assertThat(store().list(ListRequest.of("", 7).ending("state.json")).next())
                .isEmpty();
    }

    @Test
    @DisplayName("in pages has every document once, however many there are, up and down, and by leaf")
    void pages() {
        int count = fixture().many();
        List<String> written = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String name = "many/" + "%05d".formatted(i) + (i % 5 == 0 ? "/state.json" : "/h.json");
            written.add(name);
            changes.add(put(name, Condition.absent(), "text " + i));
            if (changes.size() == Change.MAX_CHANGES || i == count - 1) {
                allWritten(store().write(changes));
                changes.clear();
            }
        }
        write("man", "before");
        write("mb", "after");
        assertPages(ListRequest.of("many/", 1_000), written);
        assertPages(ListRequest.of("many/", Math.max(1, count / 5)), written); // a whole number of pages
        List<String> leaves =
                written.stream().filter(name -> name.endsWith("/state.json")).toList();
        assertPages(ListRequest.of("", 70).ending("state.json"), leaves);
        Collections.reverse(written);
        assertPages(ListRequest.of("many/", 999).descending(), written);
    }

    private void assertPages(ListRequest first, List<String> expected) {
        List<String> found = new ArrayList<>();
        Optional<ListRequest> next = Optional.of(first);
        while (next.isPresent()) {
            DocumentPage page = store().list(next.get());
            assertThat(page.heads()).hasSizeBetween(page.next().isPresent() ? 1 : 0, first.limit());
            page.heads().forEach(head -> found.add(head.name()));
            assertThat(found).hasSizeLessThanOrEqualTo(expected.size());
            next = page.next().map(last -> first.after(Optional.of(last)));
        }
        assertThat(found).isEqualTo(expected);
    }

    @Test
    @DisplayName("of nothing, or more than a page may have, is refused")
    void limits() {
        assertThatIllegalArgumentException().isThrownBy(() -> ListRequest.of("", 0));
        assertThatIllegalArgumentException().isThrownBy(() -> ListRequest.of("", ListRequest.MAX_LIMIT + 1));
        assertThat(store().list(ListRequest.of("", ListRequest.MAX_LIMIT)).heads())
                .isEmpty();
    }
}
