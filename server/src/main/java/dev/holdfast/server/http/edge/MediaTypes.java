package dev.holdfast.server.http.edge;

import dev.holdfast.server.http.Reply;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a Content-Type header says. */
final class MediaTypes {
    private static final int MAX_SHOWN = 100;

    private MediaTypes() {}

    static boolean isJson(@Nullable String type) {
        if (type == null) {
            return false;
        }
        String lower = type.toLowerCase(Locale.ROOT).replace(" ", "").replace("\"", "");
        int parameters = lower.indexOf(';');
        String media = parameters < 0 ? lower : lower.substring(0, parameters);
        boolean utf8 = !lower.contains("charset=") || lower.contains("charset=utf-8");
        return utf8 && (media.equals(Reply.JSON) || (media.startsWith("application/") && media.endsWith("+json")));
    }

    static String shortened(String text) {
        return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
    }
}
