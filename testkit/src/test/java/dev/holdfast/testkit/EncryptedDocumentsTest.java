package dev.holdfast.testkit;

import static dev.holdfast.testkit.documents.EncryptedFixture.keys;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DamagedDocumentException;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentHead;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.WriteOutcome;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("an encrypted document")
final class EncryptedDocumentsTest {
    private static final String SECRET = "{\"password\":\"hunter2\"}";
    private static final String A = "stacks/a/prod/state.json";
    private static final String B = "stacks/b/prod/state.json";

    private final DocumentStore raw = new MemoryDocuments();
    private final DocumentStore store = EncryptedDocuments.on(raw, keys('a'));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static DocumentHead put(DocumentStore on, String name, String text) {
        WriteOutcome outcome = on.write(Change.put(name, Condition.none(), bytes(text), Map.of("by", "alice")));
        return ((WriteOutcome.Written) outcome).heads().get(0);
    }

    private static String read(DocumentStore on, String name) {
        return new String(on.get(name).orElseThrow().content(), StandardCharsets.UTF_8);
    }

    private void putRaw(String name, byte[] content, Map<String, String> attributes) {
        raw.write(Change.put(name, Condition.none(), content, attributes));
    }

    @Test
    @DisplayName("has nothing of its content in the store, says what it is, and is another each time")
    void hidden() {
        put(store, A, SECRET);
        byte[] first = raw.get(A).orElseThrow().content();
        assertThat(new String(first, StandardCharsets.ISO_8859_1))
                .startsWith("holdfast-sealed/1\n")
                .contains(A)
                .doesNotContain("password", "hunter");
        put(store, A, SECRET);
        assertThat(raw.get(A).orElseThrow().content()).isNotEqualTo(first);
        assertThat(read(store, A)).isEqualTo(SECRET);
        assertThat(store.look(A).orElseThrow().size()).isEqualTo(SECRET.length());
        assertThat(store.look(A).orElseThrow().attributes()).isEqualTo(Map.of("by", "alice"));
    }

    @Test
    @DisplayName("is not given out if any bit of it was changed, or any end cut off")
    void damaged() {
        put(store, A, SECRET);
        Document good = raw.get(A).orElseThrow();
        for (int i = 0; i < good.content().length; i++) {
            byte[] bent = good.content().clone();
            bent[i] ^= 0x40;
            putRaw(A, bent, good.head().attributes());
            assertThatExceptionOfType(dev.holdfast.spi.StoreException.class)
                    .as("byte " + i)
                    .isThrownBy(() -> store.get(A))
                    .withMessageContaining(A)
                    .withMessageNotContaining("hunter");
            putRaw(A, java.util.Arrays.copyOf(good.content(), i), good.head().attributes());
            assertThatExceptionOfType(DamagedDocumentException.class)
                    .as("cut to " + i)
                    .isThrownBy(() -> store.get(A));
        }
        putRaw(A, good.content(), good.head().attributes());
        assertThat(read(store, A)).isEqualTo(SECRET);
    }

    @Test
    @DisplayName("does not open under another name, and says whose it is")
    void swapped() {
        put(store, A, SECRET);
        Document of = raw.get(A).orElseThrow();
        putRaw(B, of.content(), of.head().attributes());
        assertThatExceptionOfType(DamagedDocumentException.class)
                .isThrownBy(() -> store.get(B))
                .withMessageContainingAll(B, "belongs to " + A);
        // Nor if somebody writes the other name into it.
        String forged = new String(of.content(), StandardCharsets.ISO_8859_1).replace(A, B);
        putRaw(B, forged.getBytes(StandardCharsets.ISO_8859_1), of.head().attributes());
        assertThatExceptionOfType(DamagedDocumentException.class)
                .isThrownBy(() -> store.get(B))
                .withMessageContainingAll(B, "cannot be decrypted");
    }

    @Test
    @DisplayName("written together with others of the same bytes is one content, for all of them and no one else")
    void shared() {
        byte[] content = bytes(SECRET);
        store.write(List.of(
                Change.put(A, Condition.none(), content, Map.of()),
                Change.put(B, Condition.none(), content, Map.of())));
        assertThat(raw.get(A).orElseThrow().content())
                .isSameAs(raw.get(B).orElseThrow().content());
        assertThat(read(store, A)).isEqualTo(SECRET);
        assertThat(read(store, B)).isEqualTo(SECRET);
    }

    @Test
    @DisplayName("that was plain before stays readable, and is encrypted with its next write; a mark keeps what it is")
    void plainBefore() {
        put(raw, A, SECRET);
        assertThat(read(store, A)).isEqualTo(SECRET);
        DocumentHead head = store.look(A).orElseThrow();
        store.write(Change.mark(A, head.tag(), Map.of("token", "7")));
        assertThat(new String(raw.get(A).orElseThrow().content(), StandardCharsets.UTF_8))
                .isEqualTo(SECRET);
        store.write(Change.put(
                A, Condition.tagged(store.look(A).orElseThrow().tag()), bytes(SECRET), Map.of("token", "7")));
        assertThat(raw.get(A).orElseThrow().content()).startsWith(bytes("holdfast-sealed/1\n"));
        store.write(Change.mark(A, store.look(A).orElseThrow().tag(), Map.of("token", "8")));
        assertThat(store.look(A).orElseThrow().size()).isEqualTo(SECRET.length());
        assertThat(read(store, A)).isEqualTo(SECRET);
    }

    @Test
    @DisplayName("must be encrypted where that is required: a plain one is refused, an empty one hides nothing")
    void required() {
        DocumentStore strict = EncryptedDocuments.on(raw, keys('a').required());
        put(raw, A, SECRET);
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> strict.get(A))
                .withMessageContainingAll(A, "not encrypted", "state.encryption.required");
        put(strict, A, SECRET);
        assertThat(read(strict, A)).isEqualTo(SECRET);
        put(raw, B, "");
        assertThat(read(strict, B)).isEmpty();
    }

    @Test
    @DisplayName("is read with an old key behind a new one, and is under the new one after its next write")
    void rotation() {
        put(store, A, SECRET);
        DocumentStore rotated = EncryptedDocuments.on(raw, keys('b', 'a'));
        assertThat(read(rotated, A)).isEqualTo(SECRET);
        put(rotated, A, SECRET);
        DocumentStore after = EncryptedDocuments.on(raw, keys('b'));
        assertThat(read(after, A)).isEqualTo(SECRET);
        assertThatExceptionOfType(StoreUnusableException.class).isThrownBy(() -> store.get(A));
    }

    @Test
    @DisplayName(
            "whose key is missing is told with that key's id, and is not replaced, whether there is another key or none")
    void wrongKey() {
        put(store, A, SECRET);
        byte[] before = raw.get(A).orElseThrow().content();
        String id = keys('a').first().orElseThrow().id();
        for (MasterKeys others : List.of(keys('b', 'c'), MasterKeys.NONE)) {
            DocumentStore wrong = EncryptedDocuments.on(raw, others);
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(() -> wrong.get(A))
                    .withMessageContainingAll(A, id, "state.encryption.keys");
            String tag = wrong.look(A).orElseThrow().tag();
            assertThatExceptionOfType(StoreUnusableException.class)
                    .isThrownBy(
                            () -> wrong.write(Change.put(A, Condition.tagged(tag), bytes("{\"mine\":true}"), Map.of())))
                    .withMessageContainingAll(A, id, "Nothing was changed");
            // What it looks like from outside goes on working: who has the lock, and when it was saved.
            wrong.write(Change.mark(A, wrong.look(A).orElseThrow().tag(), Map.of("token", "9")));
        }
        assertThat(raw.get(A).orElseThrow().content()).isEqualTo(before);
        assertThat(read(store, A)).isEqualTo(SECRET);
    }

    @Test
    @DisplayName("of a later version is told apart from damage; encrypted bytes are not taken for plain ones")
    void laterVersion() {
        putRaw(A, bytes("holdfast-sealed/2\nxyz"), Map.of());
        assertThatExceptionOfType(DamagedDocumentException.class)
                .isThrownBy(() -> store.get(A))
                .withMessageContaining("does not know");
        DocumentStore plain = EncryptedDocuments.on(raw, MasterKeys.NONE);
        assertThatIllegalArgumentException().isThrownBy(() -> put(plain, B, "holdfast-sealed/1\nxyz"));
        assertThat(raw.look(B)).isEmpty();
    }

    @Test
    @DisplayName("has an attribute that nobody else may use")
    void reserved() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> store.write(
                        Change.put(A, Condition.none(), bytes("x"), Map.of("holdfast-sealed", "1 1 aes-x"))))
                .withMessageContaining("reserved");
    }
}
