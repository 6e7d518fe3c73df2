package dev.holdfast.server.auth.login;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an {@code Authorization} header presents. Reading it never throws. */
sealed interface Credentials {
    /** Longest header that is read; a JWT of a real issuer stays well below. */
    int MAX_HEADER = 8 * 1024;

    Pattern HEADER = Pattern.compile("([A-Za-z]+) +([!-~]+) *");

    /** A token: the one after {@code Bearer}, or the password of {@code Basic}. */
    record Secret(String value) implements Credentials {
        // Three parts; the last is empty where somebody hopes that no signature will do.
        private static final Pattern JWT = Pattern.compile("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*");

        boolean looksLikeJwt() {
            return JWT.matcher(value).matches();
        }

        @Override
        public String toString() {
            return "Secret[hidden]";
        }
    }

    record Unreadable(String why) implements Credentials {}

    /** Reads a header: a scheme, spaces, and one word of visible ASCII. */
    static Credentials in(String header) {
        if (header.length() > MAX_HEADER) {
            return new Unreadable("The Authorization header is longer than " + MAX_HEADER + " characters.");
        }
        Matcher parts = HEADER.matcher(header);
        if (!parts.matches()) {
            return new Unreadable("The Authorization header must be 'Bearer <token>' or 'Basic <base64>'.");
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        if (scheme.equals("bearer")) {
            return new Secret(parts.group(2));
        }
        return scheme.equals("basic")
                ? basic(parts.group(2))
                : new Unreadable("The Authorization header must start with 'Bearer ' or 'Basic '.");
    }

    private static Credentials basic(String encoded) {
        try {
            String pair = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Base64.getDecoder().decode(encoded)))
                    .toString();
            // The user name ends at the first colon; it is not looked at, the token says who it is.
            int colon = pair.indexOf(':');
            return colon >= 0 && isPlain(pair.substring(colon + 1))
                    ? new Secret(pair.substring(colon + 1))
                    : new Unreadable("Basic authentication needs a user name, a colon, and a token as password.");
        } catch (IllegalArgumentException | CharacterCodingException e) {
            return new Unreadable("After 'Basic ' the Authorization header must be base64 of UTF-8 text.");
        }
    }

    /** Visible ASCII only: what tokens are made of, and nothing that means something to a log or a terminal. */
    private static boolean isPlain(String token) {
        return !token.isEmpty() && token.chars().allMatch(c -> c > ' ' && c < 127);
    }
}
