package dev.holdfast.server.auth.jwt;

import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyType;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The public keys an issuer signs with: RSA and EC only, so a shared secret among them can never verify anything. */
record KeySet(List<JWK> keys) {
    /** Below this an RSA key can be broken. */
    private static final int MIN_RSA_BITS = 2048;

    KeySet {
        keys = List.copyOf(keys);
    }

    /**
     * Reads a JWK set. What is not understood in it is left out: an issuer may have keys for others than us.
     *
     * @throws ParseException also if no usable key is left: an issuer without keys is broken, not finished
     */
    static KeySet parse(String json) throws ParseException {
        Map<String, Object>[] entries = JSONObjectUtils.getJSONObjectArray(JSONObjectUtils.parse(json), "keys");
        List<JWK> usable = Stream.of(Optional.ofNullable(entries).orElseThrow(() -> new ParseException("no 'keys'", 0)))
                .flatMap(entry -> publicKey(entry).stream())
                .filter(KeySet::isUsable)
                .distinct()
                .toList();
        if (usable.isEmpty()) {
            throw new ParseException("the key set has no RSA (2048 bits or more) or EC key for signatures", 0);
        }
        return new KeySet(usable);
    }

    private static Optional<JWK> publicKey(Map<String, Object> entry) {
        try {
            return Optional.ofNullable(JWK.parse(entry).toPublicJWK());
        } catch (ParseException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /** The keys that could have made this signature: by {@code kid} where the header has one, and by algorithm. */
    List<JWK> fitting(JWSHeader header) {
        return new JWKSelector(JWKMatcher.forJWSHeader(header)).select(new JWKSet(keys));
    }

    private static boolean isUsable(JWK key) {
        boolean signs = key.getKeyUse() == null || key.getKeyUse().equals(KeyUse.SIGNATURE);
        boolean strong = key.getKeyType().equals(KeyType.EC)
                || (key.getKeyType().equals(KeyType.RSA) && key.size() >= MIN_RSA_BITS);
        return signs && strong;
    }
}
