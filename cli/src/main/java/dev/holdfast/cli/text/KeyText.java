package dev.holdfast.cli.text;

import dev.holdfast.model.LockKey;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.RecordKey;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A lock in one word, {@code NAMESPACE:NAME[/PATH]}: what is shown can be typed again. The first {@code :} ends the namespace, the
 * first {@code /} after it the name. A name with a {@code /} of its own, which programs may give, is written with {@code %2F}.
 */
public final class KeyText {
    /** Only what is written so by {@link #of}: any other percent sign stands for itself. */
    private static final Pattern WRITTEN = Pattern.compile("%(2[Ff]|25)");

    private static final Pattern TO_WRITE = Pattern.compile("/|%(?=2[Ff]|25)");

    private static final String DEPLOY = "deploy";
    private static final Pattern PART_OF_STACK = Pattern.compile("stack:.*:(service|component)(:.*)?");

    private KeyText() {}

    public static String of(RecordKey record) {
        Matcher special = TO_WRITE.matcher(record.name());
        return record.namespace() + ":" + special.replaceAll(it -> it.group().equals("/") ? "%2F" : "%25");
    }

    public static String of(LockKey key) {
        return of(key.record(), key.path());
    }

    public static String of(RecordKey record, LockPath path) {
        return path.isWhole() ? of(record) : of(record) + "/" + path;
    }

    /** Parts of the lock, as one hold may have several: the first can be typed again. */
    public static String of(RecordKey record, List<LockPath> paths) {
        String first = paths.isEmpty() ? of(record) : of(record, paths.get(0));
        return paths.size() > 1 ? first + " +" + (paths.size() - 1) : first;
    }

    /**
     * What somebody typed.
     *
     * @param namespace where it is if the text does not say
     * @throws IllegalArgumentException if it is none
     */
    public static LockKey parse(String text, String namespace) {
        KeyPrefix start = start(text);
        String rest = start.rest();
        if (!rest.equals(rest.strip())) {
            throw new IllegalArgumentException(
                    "'" + text
                            + "' has a blank before or after the name. If that is really part of it, name the namespace with -N");
        }
        String where = start.namespace().orElse(namespace);
        if (where.equals(DEPLOY) && PART_OF_STACK.matcher(rest).matches()) {
            return LockKey.of(where, rest); // deployments have a spelling of their own, with a path inside the name
        }
        int slash = rest.indexOf('/');
        if (slash < 0) {
            return LockKey.of(where, read(rest));
        }
        if (slash == rest.length() - 1) {
            throw new IllegalArgumentException(
                    "'" + text + "' ends in '/', and no part of the lock is named behind it");
        }
        return LockKey.of(where, read(rest.substring(0, slash))).at(rest.substring(slash + 1));
    }

    /** A text that names a lock, or only how one begins, divided at its first colon. */
    public record KeyPrefix(Optional<String> namespace, String rest) {
        /** Whether the lock begins so, this being the name as it is. */
        public boolean matches(RecordKey key) {
            return namespace.map(key.namespace()::equals).orElse(true)
                    && key.name().startsWith(rest);
        }

        /** How the name begins. */
        public String prefix() {
            return read(rest);
        }
    }

    /** Divides it at the first colon. */
    public static KeyPrefix start(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? new KeyPrefix(Optional.empty(), text)
                : new KeyPrefix(Optional.of(text.substring(0, colon)), text.substring(colon + 1));
    }

    private static String read(String name) {
        return WRITTEN.matcher(name).replaceAll(it -> it.group().equals("%25") ? "%" : "/");
    }
}
