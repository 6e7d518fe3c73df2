package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.DocumentStores;
import dev.holdfast.documents.ListRequest;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.testkit.documents.DocumentCases;
import dev.holdfast.testkit.documents.KilledWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is particular about files: people see them, and other things are beside them. */
@DisplayName("a directory of documents")
class FileDocumentsPlaceTest {
    private static final String NAME = "stacks/a/prod/state.json";

    @TempDir
    Path directory;

    private DocumentStore store = new dev.holdfast.documents.MemoryDocuments();

    @BeforeEach
    void open() {
        store = DocumentStores.open("file:" + directory.resolve("docs"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private Path file(String name) {
        return directory.resolve("docs").resolve(name);
    }

    private DocumentHead write(String text) {
        return DocumentCases.written(
                store.write(Change.put(NAME, Condition.none(), DocumentCases.bytes(text), Map.of("serial", "1"))));
    }

    @Test
    @DisplayName("has a file for each with exactly its bytes, and a readable one beside it with what is known of it")
    void readable() throws IOException {
        DocumentHead head = write("{\"a\": 1}\n");
        assertThat(file(NAME)).hasContent("{\"a\": 1}\n");
        assertThat(Files.readString(file("stacks/a/prod/.state.json.meta")))
                .contains("tag=" + head.tag() + "\n", "size=9\n", "\n\nserial=1\n");
        store.write(Change.delete(NAME, Condition.none()));
        try (var files = Files.list(file("stacks/a/prod"))) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    @DisplayName("leaves files of others alone: they are not listed, and not replaced")
    void foreignFile() throws IOException {
        Files.createDirectories(file("stacks/a/prod"));
        Files.writeString(file(NAME), "mine");
        assertThat(store.look(NAME)).isEmpty();
        assertThat(store.list(ListRequest.of("", 10)).heads()).isEmpty();
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> write("ours"))
                .withMessageContaining("state.json")
                .withMessageContaining("move it away");
        assertThat(file(NAME)).hasContent("mine");
    }

    @Test
    @DisplayName("tells that a document was changed by other means, and what to do, instead of giving it out")
    void changedByHand() throws IOException {
        write("one");
        Files.writeString(file(NAME), "two");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> store.get(NAME))
                .withMessageContaining("SHA-256");
        write("three");
        assertThat(store.get(NAME).orElseThrow().content()).isEqualTo(DocumentCases.bytes("three"));
    }

    @Test
    @DisplayName("is never left through a link, to read or to write, directory or file")
    void links() throws IOException {
        Path outside = Files.createDirectory(directory.resolve("outside"));
        Files.createSymbolicLink(file("stacks"), outside);
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> write("x"))
                .withMessageContaining("link");
        assertThatExceptionOfType(StoreUnusableException.class).isThrownBy(() -> store.look(NAME));
        assertThat(store.list(ListRequest.of("", 10)).heads()).isEmpty();
        assertThat(outside).isEmptyDirectory();
        Path target = Files.writeString(directory.resolve("target"), "theirs");
        Files.createSymbolicLink(file(".one.pending"), target);
        Files.createSymbolicLink(file(".one.meta.next"), target);
        store.write(Change.put("one", Condition.absent(), DocumentCases.bytes("ours"), Map.of()));
        assertThat(target).hasContent("theirs");
        assertThat(file("one")).hasContent("ours");
    }

    @Test
    @DisplayName("says when a name would be both a document and a directory")
    void fileOrDirectory() {
        write("x");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() ->
                        store.write(Change.put(NAME + "/part", Condition.none(), DocumentCases.bytes("x"), Map.of())))
                .withMessageContaining("is a file");
        assertThat(store.look(NAME + "/part")).isEmpty();
    }

    @Test
    @DisplayName(
            "ends what a writer began who died, at each step: before the head changed it did not happen, after it did")
    void unfinished() throws IOException {
        DocumentHead one = write("one");
        Files.writeString(file("stacks/a/prod/.state.json.pending"), "half of t");
        assertThat(store.get(NAME).orElseThrow().head()).isEqualTo(one);
        DocumentHead two = write("two");
        Files.move(file(NAME), file("stacks/a/prod/.state.json.pending")); // as if the last step were missing
        assertThat(store.get(NAME).orElseThrow().head()).isEqualTo(two);
        DocumentHead marked = DocumentCases.written(store.write(Change.mark(NAME, two.tag(), Map.of())));
        assertThat(file(NAME)).hasContent("two");
        assertThat(store.get(NAME).orElseThrow().head()).isEqualTo(marked);
        Files.move(file(NAME), file("stacks/a/prod/.state.json.pending")); // as if a deletion had ended here
        Files.delete(file("stacks/a/prod/.state.json.meta"));
        assertThat(store.get(NAME)).isEmpty();
        write("three");
        assertThat(file(NAME)).hasContent("three");
    }

    @Test
    @DisplayName("is not made where the way to it is missing, nor opened without a path")
    void noPlace() {
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> DocumentStores.open("file:" + directory.resolve("no/such/docs")))
                .withMessageContaining("mkdir -p");
        for (String url : new String[] {"file:", "file://host/docs"}) {
            assertThatIllegalArgumentException().isThrownBy(() -> DocumentStores.open(url));
        }
    }

    @Test
    @DisplayName(
            "whose writer is killed, again and again, has every document whole and all that was told to be written")
    void killed() throws IOException {
        KilledWriter.run("file:" + directory.resolve("killed"), 8);
    }
}
