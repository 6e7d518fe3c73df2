package dev.holdfast.server.auth.jwt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import dev.holdfast.server.auth.login.Issuer;
import java.text.ParseException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a published set of keys")
class KeySetTest {
    @Test
    @DisplayName(
            "gives its public RSA and EC signing keys; what is weak, shared, for encryption or unknown is left out")
    void usable() throws Exception {
        RSAKey forEncryption = new RSAKey.Builder(Issuer.OTHER_RSA.toRSAKey())
                .keyUse(KeyUse.ENCRYPTION)
                .build();
        JWK weak = new RSAKeyGenerator(1024, true).keyID("weak").generate();
        JWK shared = new OctetSequenceKey.Builder(new byte[32]).keyID("shared").build();
        String json = set(
                Issuer.RSA.toJSONString(),
                Issuer.EC.toPublicJWK().toJSONString(),
                Issuer.EC.toPublicJWK().toJSONString(),
                forEncryption.toJSONString(),
                weak.toJSONString(),
                shared.toJSONString(),
                "{\"kty\":\"EC\",\"crv\":\"P-999\",\"x\":\"AA\",\"y\":\"AA\"}",
                "{\"kty\":\"new\"}",
                "{}");

        assertThat(KeySet.parse(json).keys()).containsExactly(Issuer.RSA.toPublicJWK(), Issuer.EC.toPublicJWK());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "null", "[]", "{}", "{\"keys\":[]}", "{\"keys\":7}", "{\"keys\":[null]}", "{\"keys\":[{}]}"})
    @DisplayName("without such a key is no set")
    void unusable(String json) {
        assertThatThrownBy(() -> KeySet.parse(json)).isInstanceOfAny(ParseException.class, RuntimeException.class);
    }

    private static String set(String... keys) {
        return Stream.of(keys).collect(Collectors.joining(",", "{\"keys\":[", "]}"));
    }
}
