package dev.holdfast.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.documents.keys.DataKey;
import dev.holdfast.documents.keys.MasterKey;
import dev.holdfast.documents.keys.MasterKeys;
import dev.holdfast.documents.keys.WrongKeyException;
import dev.holdfast.testkit.documents.EncryptedFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("a master key")
final class MasterKeysTest {
    private static final byte[] KEY = new byte[32];

    static {
        new Random(4).nextBytes(KEY);
    }

    @TempDir
    Path directory;

    private static MasterKeys open(String text) {
        return MasterKeys.open(List.of("env:K"), Map.of("K", text));
    }

    private static MasterKey key(String text) {
        return open(text).first().orElseThrow();
    }

    @Test
    @DisplayName(
            "is the same in base64, URL base64 and hexadecimal, from the environment and from a file that is closed to others")
    void forms() throws Exception {
        String id = key(HexFormat.of().formatHex(KEY)).id();
        assertThat(id).matches("aes-[0-9a-f]{16}");
        assertThat(key(Base64.getEncoder().encodeToString(KEY) + "\n").id()).isEqualTo(id);
        assertThat(key(Base64.getUrlEncoder().withoutPadding().encodeToString(KEY))
                        .id())
                .isEqualTo(id);
        assertThat(key(HexFormat.of().withUpperCase().formatHex(KEY)).id()).isEqualTo(id);
        Path file = directory.resolve("state.key");
        Files.writeString(file, Base64.getEncoder().encodeToString(KEY) + "\n");
        for (String open : List.of("rw-r--r--", "rw-----wx", "rw-rw----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(open));
            assertThatIllegalArgumentException()
                    .as(open)
                    .isThrownBy(() -> MasterKeys.open(List.of("file:" + file), Map.of()))
                    .withMessageContaining("chmod 600 " + file);
        }
        for (String closed : List.of("rw-------", "r--------", "r--r-----")) {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(closed));
            assertThat(MasterKeys.open(List.of("file:" + file), Map.of())
                            .first()
                            .orElseThrow()
                            .id())
                    .isEqualTo(id);
        }
    }

    @Test
    @DisplayName("opens what it has wrapped, and nothing that another has, or that was changed")
    void wraps() throws Exception {
        MasterKey key = key(HexFormat.of().formatHex(KEY));
        DataKey data = key.create();
        assertThat(key.unwrap(data.wrapped())).isEqualTo(data.plain()).hasSize(32);
        assertThat(key.create().plain()).isNotEqualTo(data.plain());
        MasterKey other = EncryptedFixture.keys('b').first().orElseThrow();
        assertThatExceptionOfType(WrongKeyException.class).isThrownBy(() -> other.unwrap(data.wrapped()));
        for (int i = 0; i < data.wrapped().length; i++) {
            byte[] bent = data.wrapped().clone();
            bent[i] ^= 1;
            assertThatExceptionOfType(WrongKeyException.class).isThrownBy(() -> key.unwrap(bent));
        }
        assertThatExceptionOfType(WrongKeyException.class).isThrownBy(() -> key.unwrap(new byte[3]));
    }

    @Test
    @DisplayName("that is none is refused with what to do, and never shown")
    void refused() {
        String half = HexFormat.of().formatHex(KEY).substring(0, 60);
        for (String text : List.of(half, "not base64 at all!", "00".repeat(32), half + "zzzz", "A".repeat(44))) {
            assertThatIllegalArgumentException()
                    .as(text)
                    .isThrownBy(() -> open(text))
                    .withMessageContainingAll("Variable 'K'", "openssl rand -base64 32")
                    .withMessageNotContaining(text)
                    .withNoCause();
        }
        // Somebody writes the key itself where its place belongs.
        String itself = Base64.getEncoder().encodeToString(KEY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterKeys.open(List.of(itself), Map.of()))
                .withMessageContaining("file:")
                .withMessageNotContaining(itself.substring(0, 8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterKeys.open(List.of("env:" + itself), Map.of()))
                .withMessageNotContaining(itself.substring(0, 8));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterKeys.open(List.of("env:NOT_SET"), Map.of()))
                .withMessageContaining("NOT_SET");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterKeys.open(List.of("file:" + directory.resolve("no")), Map.of()))
                .withMessageContaining("cannot be read");
    }

    @Test
    @DisplayName("is named once")
    void twice() {
        String text = HexFormat.of().formatHex(KEY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MasterKeys.open(List.of("env:A", "env:B"), Map.of("A", text, "B", text)))
                .withMessageContaining("twice");
        assertThat(MasterKeys.NONE.first()).isEmpty();
    }
}
