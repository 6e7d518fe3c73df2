package dev.holdfast.spi;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The URLs of stores and servers, as they may be shown. The one place where that is decided: whatever prints a URL, or a text that
 * should be one, prints it through here.
 */
public final class StoreUrls {
    private static final String HIDDEN = "***";
    private static final int MAX_AGAIN = 8;
    /** What is known to stand before {@code ://}. Anything else there may be a user, with a password that begins so. */
    private static final Pattern SCHEME = Pattern.compile(
            "(?i)postgres(ql)?|mysql|mariadb|sqlite|dynamodb|s3|https?|file|redis|jdbc:[a-z0-9]+(:[a-z0-9]+)?");
    /** Paths of this machine: an {@code @} in them belongs to a name. */
    private static final Pattern PATH = Pattern.compile("(?i)((jdbc:)?sqlite|file):(?!//[^/]).*", Pattern.DOTALL);
    /** What stands before {@code =} in a parameter, in a list, in a line of words, or in the value of another one that was not ended well. */
    private static final Pattern PARAMETER = Pattern.compile("(?:^|[=?&;,#(\\s])([^=?&;,#(\\s]+)=");

    private static final Pattern SECRET =
            Pattern.compile("pass|pwd|secret|token|credential|signature|authorization|apikey|(^|[^a-z])key|key$");

    private StoreUrls() {}

    /**
     * The URL without what is secret in it: what stands between user and host, and every parameter that is named like a
     * secret, with all that follows it. Holds for damaged URLs too, as those with a {@code /}, {@code ?} or {@code @}
     * in a password that should have been escaped: where it cannot be told how far a secret goes, more is hidden than
     * necessary.
     */
    public static String masked(String url) {
        String shown = maskedOnce(url);
        // What is left of a damaged one may read differently from the whole: another user, another parameter.
        for (int i = 0; i < MAX_AGAIN && !maskedOnce(shown).equals(shown); i++) {
            shown = maskedOnce(shown);
        }
        return shown;
    }

    private static String maskedOnce(String url) {
        int at = PATH.matcher(url).matches() || url.indexOf('@') < 0 ? -1 : lastAt(url);
        int password = at < 0 ? -1 : passwordStart(url, at);
        int parameter = secretParameter(url);
        if (password >= 0 && (parameter < 0 || parameter > at)) {
            String shown = url.substring(0, password) + HIDDEN;
            return parameter < 0
                    ? shown + url.substring(at)
                    : shown + url.substring(at, parameter) + HIDDEN; // one before the host, one behind it
        }
        // A parameter goes to the end: a secret may have any character in it, also those that end a parameter.
        int start = password < 0 ? parameter : Math.min(password, parameter);
        return start < 0 ? url : url.substring(0, start) + HIDDEN;
    }

    /** A text of others, such as a driver's message, which may have a URL in it. */
    public static String maskedIn(String text) {
        boolean url = text.contains("://")
                || text.contains("jdbc:")
                || text.toLowerCase(Locale.ROOT).contains("password=");
        return url ? masked(text) : text;
    }

    /** Where the password begins that ends at the last {@code @}; a password may have one, a host has none. Negative: there is none. */
    private static int passwordStart(String url, int at) {
        int start = userStart(url, at);
        int colon = url.indexOf(':', start);
        int encoded = url.toLowerCase(Locale.ROOT).indexOf("%3a", start);
        boolean first = encoded >= 0 && (colon < 0 || encoded < colon);
        int behind = first ? encoded + 3 : colon < 0 ? -1 : colon + 1;
        if (behind >= 0 && behind <= at) {
            return behind;
        }
        return url.regionMatches(true, 0, "http", 0, 4) ? start : -1; // a name alone is often a token there
    }

    /** Where the user begins: behind the scheme, or at the start of what has none. */
    private static int userStart(String url, int at) {
        int scheme = url.indexOf("://");
        return scheme >= 0
                        && scheme < at
                        && SCHEME.matcher(url.substring(0, scheme)).matches()
                ? scheme + 3
                : 0;
    }

    private static int lastAt(String url) {
        return Math.max(url.lastIndexOf('@'), url.lastIndexOf("%40"));
    }

    /** Where the value of the first parameter begins that must not be shown; negative: there is none. */
    private static int secretParameter(String url) {
        Matcher parameter = PARAMETER.matcher(url);
        int lastAt = lastAt(url);
        for (int from = 0; parameter.find(from); from = parameter.end(1)) {
            boolean secret = SECRET.matcher(decoded(parameter.group(1)).toLowerCase(Locale.ROOT))
                    .find();
            // An address within a parameter, with a user of its own.
            boolean user =
                    lastAt > parameter.end() && value(url, parameter.end()).contains("://");
            if (secret || user) {
                return parameter.end();
            }
        }
        return -1;
    }

    private static String value(String url, int start) {
        int end = url.indexOf('&', start);
        return decoded(end < 0 ? url.substring(start) : url.substring(start, end));
    }

    /** Percent signs that encode nothing stay as they are. */
    private static String decoded(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            int high = text.charAt(i) == '%' && i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
            plain.append(low < 0 ? text.charAt(i) : (char) (high * 16 + low));
            i += low < 0 ? 0 : 2;
        }
        return plain.toString();
    }
}
