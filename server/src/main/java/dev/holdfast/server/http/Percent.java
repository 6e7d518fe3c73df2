package dev.holdfast.server.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Percent-encoding, strictly: what is not two hexadecimal digits, or not UTF-8 afterwards, is refused. */
final class Percent {
    private Percent() {}

    static String decode(String text, String where) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        byte[] bytes = new byte[text.length() * 3];
        int size = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
                int low = i + 2 < text.length() ? Character.digit(text.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    throw Problem.invalid(where + " has a '%' that is not followed by two hexadecimal digits");
                }
                bytes[size++] = (byte) (high << 4 | low);
                i += 2;
            } else {
                for (byte b : String.valueOf(c).getBytes(StandardCharsets.UTF_8)) {
                    bytes[size++] = b;
                }
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes, 0, size))
                    .toString();
        } catch (CharacterCodingException e) {
            throw Problem.invalid(where + " is not UTF-8 once decoded");
        }
    }
}
