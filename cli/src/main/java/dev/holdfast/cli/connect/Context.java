package dev.holdfast.cli.connect;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A place with a name: a server or a store, what is shown to it, and the usual namespace there.
 *
 * @param lines of the file, where each setting stands
 */
public record Context(String name, Map<String, String> settings, Map<String, Integer> lines) {
    static final String SERVER = "server";
    static final String STORE = "store";
    static final String TOKEN_FILE = "token-file";
    static final String CA_FILE = "ca-file";
    static final String CLIENT_CERT = "client-cert";
    static final String CLIENT_KEY = "client-key";
    static final String NAMESPACE = "namespace";

    /** All there are, in the order in which they are written. */
    public static final List<String> KEYS =
            List.of(SERVER, STORE, TOKEN_FILE, CA_FILE, CLIENT_CERT, CLIENT_KEY, NAMESPACE);

    public static final String NAME_RULE = "letters, digits, '.', '_', '@' and '-', at most 64, not starting with '-'";

    /** Names are typed and completed, so they need no quotes. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._@][A-Za-z0-9._@-]{0,63}");

    static final List<String> FILES = List.of(TOKEN_FILE, CA_FILE, CLIENT_CERT, CLIENT_KEY);

    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** One that is not in a file yet. */
    public static Context of(String name) {
        return new Context(name, Map.of(), Map.of());
    }

    public Optional<String> get(String key) {
        return Optional.ofNullable(settings.get(key));
    }

    public String url() {
        return get(SERVER).or(() -> get(STORE)).orElse("");
    }

    public Optional<String> namespace() {
        return get(NAMESPACE);
    }

    /** With these settings besides, and without those whose value is empty. */
    public Context with(Map<String, String> changes) {
        Map<String, String> all = new LinkedHashMap<>();
        for (String key : KEYS) {
            String value = changes.getOrDefault(key, settings.getOrDefault(key, ""));
            if (!value.isEmpty()) {
                all.put(key, value);
            }
        }
        return new Context(name, all, Map.of());
    }

    /** A file that a setting names: {@code ~} is the home, and what is relative starts where the contexts are. */
    static String located(String file, Path directory, Path home) {
        if (file.startsWith("~/")) {
            return home.resolve(file.substring(2)).toString();
        }
        return directory.resolve(file).normalize().toString();
    }
}
