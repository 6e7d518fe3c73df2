package dev.holdfast.documents;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Makes tags for stores that have none of their own: 128 random bits, so that none ever comes twice. */
public final class Tags {
    private static final int BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Tags() {}

    /** A tag that no document ever had, anywhere: 32 hexadecimal digits. */
    public static String fresh() {
        byte[] random = new byte[BYTES];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random);
    }
}
