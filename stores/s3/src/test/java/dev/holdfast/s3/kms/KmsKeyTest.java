package dev.holdfast.s3.kms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.Change;
import dev.holdfast.documents.Condition;
import dev.holdfast.documents.DamagedDocumentException;
import dev.holdfast.documents.Document;
import dev.holdfast.documents.DocumentStore;
import dev.holdfast.documents.EncryptedDocuments;
import dev.holdfast.documents.MemoryDocuments;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkSystemSetting;

@DisplayName("a master key in KMS")
final class KmsKeyTest {
    private static final byte[] CONTENT = "{\"password\":\"hunter2\"}".getBytes(StandardCharsets.UTF_8);

    private final DocumentStore raw = new MemoryDocuments();
    private FakeKms kms;
    private DocumentStore store;

    @BeforeEach
    void start() throws Exception {
        System.setProperty(SdkSystemSetting.AWS_ACCESS_KEY_ID.property(), "test");
        System.setProperty(SdkSystemSetting.AWS_SECRET_ACCESS_KEY.property(), "test");
        kms = new FakeKms();
        store = open();
    }

    @AfterEach
    void stop() {
        kms.close();
    }

    private DocumentStore open() {
        return EncryptedDocuments.on(raw, MasterKeys.open(List.of(kms.source()), Map.of()));
    }

    private void put(String name) {
        store.write(Change.put(name, Condition.none(), CONTENT, Map.of()));
    }

    @Test
    @DisplayName(
            "makes one data key for each write, and opens it again for who reads; what was read is not asked for again")
    void oneCallEach() {
        store.write(List.of(
                Change.put("a", Condition.none(), CONTENT, Map.of()),
                Change.put("b", Condition.none(), CONTENT.clone(), Map.of())));
        assertThat(kms.calls).containsExactly("TrentService.GenerateDataKey");
        assertThat(new String(raw.get("a").orElseThrow().content(), StandardCharsets.ISO_8859_1))
                .contains("kms:1234abcd-12ab-34cd-56ef-1234567890ab")
                .doesNotContain("hunter2");
        DocumentStore other = open();
        for (int i = 0; i < 3; i++) {
            assertThat(other.get("a").orElseThrow().content()).isEqualTo(CONTENT);
            assertThat(other.get("b").orElseThrow().content()).isEqualTo(CONTENT);
        }
        assertThat(kms.calls).containsExactly("TrentService.GenerateDataKey", "TrentService.Decrypt");
    }

    @Test
    @DisplayName("is asked again when KMS is busy or broken for a moment; if it stays so, nothing is written")
    void outage() {
        kms.fail(500, 503, 429);
        put("a");
        assertThat(store.get("a").orElseThrow().content()).isEqualTo(CONTENT);
        kms.fail(500, 500, 500, 500);
        assertThatExceptionOfType(StoreUnavailableException.class)
                .isThrownBy(() -> put("b"))
                .withMessageContainingAll("GenerateDataKey", FakeKms.KEY, "Nothing was changed");
        assertThat(raw.look("b")).isEmpty();
        kms.close();
        assertThatExceptionOfType(StoreUnavailableException.class).isThrownBy(() -> put("b"));
    }

    @Test
    @DisplayName("that we may not use is told with its ARN and the right that is missing, at once")
    void denied() {
        put("a");
        kms.denied = true;
        int before = kms.calls.size();
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> put("a"))
                .withMessageContainingAll("kms:GenerateDataKey", FakeKms.KEY, "AccessDeniedException", "policy");
        assertThatExceptionOfType(StoreUnusableException.class)
                .isThrownBy(() -> open().get("a"))
                .withMessageContaining("kms:Decrypt");
        assertThat(kms.calls).hasSize(before + 2);
    }

    @Test
    @DisplayName("does not open a data key that was changed")
    void damaged() {
        put("a");
        Document good = raw.get("a").orElseThrow();
        byte[] bent = good.content().clone();
        int blob = "holdfast-sealed/1\n".length() + 1 + "kms:1234abcd-12ab-34cd-56ef-1234567890ab".length() + 2;
        bent[blob + 3] ^= 1;
        raw.write(Change.put("a", Condition.none(), bent, good.head().attributes()));
        assertThatExceptionOfType(DamagedDocumentException.class)
                .isThrownBy(() -> open().get("a"))
                .withMessageContaining("KMS");
    }

    @Test
    @DisplayName("is named by the ARN of the key itself, and an address with a host and no user")
    void sources() {
        for (String source : List.of(
                "kms:alias/state",
                "kms:1234abcd-12ab-34cd-56ef-1234567890ab",
                "kms:arn:aws:kms:eu-central-1:111122223333:alias/state",
                "kms:" + FakeKms.KEY + "?endpoint=ftp://x",
                "kms:" + FakeKms.KEY + "?endpoint=http://user:secret@x",
                "kms:" + FakeKms.KEY + "?region=x")) {
            assertThatIllegalArgumentException()
                    .as(source)
                    .isThrownBy(() -> MasterKeys.open(List.of(source), Map.of()))
                    .withMessageNotContaining("secret@");
        }
        assertThat(MasterKeys.open(List.of("kms:" + FakeKms.KEY), Map.of()).first())
                .isPresent();
        assertThat(MasterKeys.open(
                                List.of(
                                        "kms:arn:aws-us-gov:kms:us-gov-west-1:111122223333:key/mrk-0123456789abcdef0123456789abcdef"),
                                Map.of())
                        .toString())
                .contains("kms:mrk-0123456789abcdef0123456789abcdef");
    }
}
