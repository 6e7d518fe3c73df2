package dev.holdfast.server.auth;

import dev.holdfast.documents.keys.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The SHA-256 of a secret: what is kept, compared and looked up in its place. */
public record Digest(long a, long b, long c, long d) {
    public static Digest of(String secret) {
        return of(secret.getBytes(StandardCharsets.UTF_8));
    }

    public static Digest of(byte[] content) {
        ByteBuffer hash = ByteBuffer.wrap(Sha256.start().digest(content));
        return new Digest(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }

    public byte[] bytes() {
        return ByteBuffer.allocate(32)
                .putLong(a)
                .putLong(b)
                .putLong(c)
                .putLong(d)
                .array();
    }

    public String hex() {
        return HexFormat.of().formatHex(bytes());
    }

    /** Not the value: that of a weak secret could be searched for. */
    @Override
    public String toString() {
        return "Digest[hidden]";
    }
}
