package dev.holdfast.server.observe.logs;

import dev.holdfast.spi.StoreUrls;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text as it may be given to others: without what looks like a secret. Nothing of ours logs one; this is for what others put into
 * their messages. Where it cannot be told, more is hidden than need be.
 */
public final class LogMask {
    private static final String HIDDEN = "***";
    private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+:.-]{0,40}://\\S+");
    private static final Pattern TOKEN = Pattern.compile("hf_[A-Za-z0-9_-]{8,}");
    private static final Pattern JWT = Pattern.compile("eyJ[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]{5,}\\.[A-Za-z0-9_-]*");
    private static final Pattern CREDENTIALS = Pattern.compile("(?i)\\b(bearer|basic)\\s+[A-Za-z0-9._~+/=-]{6,}");
    private static final Pattern PRIVATE_KEY = Pattern.compile(
            "-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(-----END [A-Z ]{0,40}PRIVATE KEY-----|$)", Pattern.DOTALL);
    /** A name is tried from its start only, and nothing is tried twice. */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?<![\\w.-])([\\w.-]++)([\"']?+\\s*+[=:]\\s*+)(\"[^\"]*+\"|'[^']*+'|[^\\s,;&]++)");

    private static final Pattern SECRET = Pattern.compile(
            "(?i)passw|passphrase|pwd|secret|credential|private|authorization|api_?key|access_?key|token(?!s\\b)");
    /** A number that everybody may know. */
    private static final Pattern NO_SECRET = Pattern.compile("(?i)fencing.?token");

    private LogMask() {}

    public static String masked(String text) {
        String shown = PRIVATE_KEY.matcher(text).replaceAll(HIDDEN);
        shown = URL.matcher(shown).replaceAll(found -> Matcher.quoteReplacement(StoreUrls.masked(found.group())));
        shown = CREDENTIALS.matcher(shown).replaceAll("$1 " + Matcher.quoteReplacement(HIDDEN));
        shown = TOKEN.matcher(shown).replaceAll("hf_" + HIDDEN);
        shown = JWT.matcher(shown).replaceAll(HIDDEN);
        return ASSIGNED.matcher(shown)
                .replaceAll(found -> Matcher.quoteReplacement(
                        isSecret(found.group(1)) ? found.group(1) + found.group(2) + HIDDEN : found.group()));
    }

    /** The value of something with this name: nothing of it if the name says that it is a secret. */
    public static String masked(String name, String value) {
        return isSecret(name) ? HIDDEN : masked(value);
    }

    private static boolean isSecret(String name) {
        return SECRET.matcher(name).find() && !NO_SECRET.matcher(name).find();
    }
}
