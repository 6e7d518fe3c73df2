package dev.holdfast.server.docs;

import java.util.regex.Pattern;

/** HTML as it grows. Only {@link #raw} takes markup; everything else is escaped. */
final class Html {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern STRONG = Pattern.compile("\\*\\*([^*]+)\\*\\*");
    private static final Pattern EMPHASIS = Pattern.compile("\\*([^*]+)\\*");

    private final StringBuilder out = new StringBuilder(1 << 16);

    Html raw(String markup) {
        out.append(markup);
        return this;
    }

    Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** Text with {@code `code`}, {@code **strong**} and {@code *emphasis*}. */
    Html inline(String text) {
        String coded = CODE.matcher(escaped(text)).replaceAll("<code>$1</code>");
        String strong = STRONG.matcher(coded).replaceAll("<strong>$1</strong>");
        out.append(EMPHASIS.matcher(strong).replaceAll("<em>$1</em>"));
        return this;
    }

    /** Paragraphs of such text. */
    Html words(String text) {
        for (String paragraph : text.split("\n\n", -1)) {
            if (!paragraph.isEmpty()) {
                raw("<p>").inline(paragraph).raw("</p>");
            }
        }
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
