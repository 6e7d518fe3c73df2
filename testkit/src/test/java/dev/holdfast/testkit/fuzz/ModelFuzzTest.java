package dev.holdfast.testkit.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.documents.AttributeText;
import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DocumentNames;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.spi.ConnectWait;
import dev.holdfast.spi.StoreException;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("damaged input is taken, or refused in so many words:")
final class ModelFuzzTest {
    private static final Class<IllegalArgumentException> REFUSAL = IllegalArgumentException.class;

    @Test
    @DisplayName("names of locks, which come back from a key as they went in")
    void lockKeys() {
        Fuzz names = Fuzz.of("invoice-run", "stack:shop:env:prod", "stack:shop:env:prod:service:users", "a/b c", "ünï");
        names.run(name -> LockKey.of("billing", name), REFUSAL, key -> {
            assertThat(LockKey.of(key.namespace(), key.name())).isEqualTo(key);
            assertThat(key.compareTo(LockKey.of(key.namespace(), key.name()))).isZero();
        });
        names.run(
                name -> LockKey.of("deploy", name),
                REFUSAL,
                key -> assertThat(
                                new LockKey(key.record(), LockPath.of(key.path().value())))
                        .isEqualTo(key));
        Fuzz.of("billing", "team-a", "deploy")
                .run(
                        namespace -> LockKey.of(namespace, "x"),
                        REFUSAL,
                        key -> assertThat(key.namespace()).doesNotContain("/", "\n"));
    }

    @Test
    @DisplayName("paths in a lock")
    void paths() {
        Fuzz.of("users/api", "a", "a/b/c/d/e", "stack/service").run(LockPath::of, REFUSAL, path -> {
            assertThat(LockPath.of(path.toString())).isEqualTo(path);
            assertThat(path.overlaps(LockPath.WHOLE)).isTrue();
        });
    }

    @Test
    @DisplayName("names of documents, which never lead out of their place")
    void documentNames() {
        Fuzz.of("stacks/shop/prod/state.json", "locks/shop-prod.lock", "a@b/c=d,e~f#g:h+i")
                .run(DocumentNames::checked, REFUSAL, name -> {
                    assertThat(name).doesNotStartWith("/").doesNotContain("//", "\\", "/../", "/./");
                    assertThat(name.split("/", -1)).allMatch(part -> !part.startsWith("."));
                });
    }

    @Test
    @DisplayName("attributes as text, which are the same when they are read again")
    void attributes() {
        Fuzz.of("a=b\nc=d=e\n", "token=42\nlease=x\nby=alice%20b\n", "").run(AttributeText::read, REFUSAL, read -> {
            try {
                Change.put("a", Condition.none(), new byte[0], read);
            } catch (IllegalArgumentException e) {
                return; // no attributes of a document
            }
            assertThat(AttributeText.read(AttributeText.of(read))).isEqualTo(read);
        });
    }

    @Test
    @DisplayName("the wait in a URL")
    void connectWait() {
        Fuzz.of("sqlite:x.db?mode=exclusive&connect_wait=10s", "postgresql://a/b?connect_wait=500ms", "memory:")
                .run(
                        url -> ConnectWait.open(url, Duration.ZERO, bare -> bare),
                        REFUSAL,
                        bare -> assertThat(ConnectWait.without(bare)).isEqualTo(bare));
    }

    @Test
    @DisplayName("encrypted documents, of which nothing comes out that was not put in")
    void sealed() {
        DocumentStore raw = new MemoryDocuments();
        DocumentStore store =
                EncryptedDocuments.on(raw, EncryptedFixture.keys('a').required());
        byte[] content = "{\"password\": \"hunter2\"}".getBytes(StandardCharsets.UTF_8);
        store.write(Change.put("a", Condition.none(), content, Map.of()));
        String good = new String(raw.get("a").orElseThrow().content(), StandardCharsets.ISO_8859_1);
        Fuzz.of(good).run(text -> {
            raw.write(Change.put("a", Condition.none(), text.getBytes(StandardCharsets.ISO_8859_1), Map.of()));
            try {
                byte[] read = store.get("a").orElseThrow().content();
                assertThat(read.length == 0 || java.util.Arrays.equals(read, content))
                        .isTrue();
            } catch (StoreException e) {
                assertThat(e.getMessage()).contains("'a'").doesNotContain("hunter2");
            }
        });
    }
}
