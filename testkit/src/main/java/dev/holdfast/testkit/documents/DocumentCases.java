package dev.holdfast.testkit.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.testkit.fixture.SurroundingTests;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.TestInstances;

/** What all groups of {@link DocumentContract} share: a fixture per test, and short ways to read and write. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a defect may hang; the build must not
@ExtendWith(SurroundingTests.class)
public abstract class DocumentCases {
    static final String NAME = "stacks/shop/prod/state.json";
    static final String OTHER = "stacks/shop/prod/history/20261116T110512.123456Z-k3f9ab12.json";

    private Optional<DocumentFixture> opened = Optional.empty();
    private Optional<DocumentStore> first = Optional.empty();

    @BeforeEach
    void openFixture(TestInstances tests) throws Exception {
        DocumentFixture fixture =
                tests.findInstance(DocumentContract.class).orElseThrow().fixture();
        opened = Optional.of(fixture);
        first = Optional.of(fixture.open());
    }

    @AfterEach
    void closeFixture() {
        first.ifPresent(DocumentStore::close);
        opened.ifPresent(DocumentFixture::close);
    }

    DocumentFixture fixture() {
        return opened.orElseThrow();
    }

    DocumentStore store() {
        return first.orElseThrow();
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static Change put(String name, Condition condition, String text) {
        return Change.put(name, condition, bytes(text), Map.of("said", text));
    }

    /** Writes it in any case. */
    DocumentHead write(String name, String text) {
        return written(store().write(put(name, Condition.none(), text)));
    }

    /** The one head of a write that was made. */
    public static DocumentHead written(WriteOutcome outcome) {
        List<DocumentHead> heads = allWritten(outcome);
        assertThat(heads).hasSize(1);
        return heads.get(0);
    }

    static List<DocumentHead> allWritten(WriteOutcome outcome) {
        assertThat(outcome).isInstanceOf(WriteOutcome.Written.class);
        return ((WriteOutcome.Written) outcome).heads();
    }

    /** Refused for the change with this index, and told what is there. */
    static void assertRefused(WriteOutcome outcome, int index, Optional<DocumentHead> current) {
        assertThat(outcome).isEqualTo(new WriteOutcome.Refused(index, current));
    }

    /** Nothing but this is there. */
    void assertIs(DocumentHead head, String text) {
        assertThat(store().look(head.name())).contains(head);
        Document found = store().get(head.name()).orElseThrow();
        assertThat(found.head()).isEqualTo(head);
        assertThat(new String(found.content(), StandardCharsets.UTF_8)).isEqualTo(text);
    }

    void assertAbsent(String name) {
        assertThat(store().look(name)).isEmpty();
        assertThat(store().get(name)).isEmpty();
    }
}
