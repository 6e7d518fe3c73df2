package dev.holdfast.server.config.values;

import dev.holdfast.Stores;
import dev.holdfast.documents.keys.MasterKeys;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Words, choices, paths and addresses. */
public final class Texts {
    private Texts() {}

    public static TextKind<Boolean> bool() {
        return TextKind.of("true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> true;
            case "false" -> false;
            default -> throw ValueRefusal.mustBe("true or false");
        });
    }

    public static TextKind<String> choice(String... words) {
        String allowed = "one of " + String.join(", ", words);
        return TextKind.of(allowed, text -> {
            String word = text.toLowerCase(Locale.ROOT);
            if (!List.of(words).contains(word)) {
                throw ValueRefusal.mustBe(allowed);
            }
            return word;
        });
    }

    /** One line of printable text, not empty. */
    public static TextKind<String> text(int most) {
        return checked("1 to " + most + " printable characters", text -> ClaimsKind.isShort(text, most));
    }

    public static TextKind<String> matching(String pattern, String allowed) {
        return checked(allowed, Pattern.compile(pattern).asMatchPredicate());
    }

    private static TextKind<String> checked(String allowed, Predicate<String> sound) {
        return TextKind.of(allowed, text -> {
            if (!sound.test(text)) {
                throw ValueRefusal.mustBe(allowed);
            }
            return text;
        });
    }

    /** A path; a relative one starts at the working directory of the server. */
    public static TextKind<Path> path() {
        return TextKind.of("a path", text -> {
            try {
                if (!text.isEmpty()) {
                    return Path.of(text);
                }
            } catch (InvalidPathException e) {
                // told below, like the empty path
            }
            throw ValueRefusal.mustBe("a path");
        });
    }

    /** An address with a host, of the web. A password in it is neither allowed nor repeated. */
    public static TextKind<URI> webAddress() {
        String allowed = "a URL that starts with http:// or https://";
        return TextKind.<URI>of(allowed, text -> {
                    try {
                        URI uri = new URI(text);
                        String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
                        boolean web = scheme.equals("http") || scheme.equals("https");
                        if (web && uri.getHost() != null && uri.getRawUserInfo() == null) {
                            return uri;
                        }
                    } catch (URISyntaxException e) {
                        // told below: the exception would repeat the text
                    }
                    throw ValueRefusal.mustBe(allowed + ", without user and password");
                })
                .shownAs(Stores::masked, text -> !text.contains("@"));
    }

    /** A store's URL. Which schemes there are depends on the class path, and is judged when it is opened. */
    public static TextKind<String> storeUrl() {
        return matching(
                        "(?i)[a-z][a-z0-9+.-]*:\\S*",
                        "the URL of a store, such as sqlite:locks.db or postgresql://user:password@host/database")
                .shownAs(Stores::masked, text -> false);
    }

    /** Where a master key is. Never repeated if it is refused: somebody may have written the key itself. */
    public static TextKind<String> keySource() {
        return matching(
                        "(file|env|kms):\\S{1,500}",
                        "where a key is, such as file:/etc/holdfast/state.key, env:STATE_KEY or kms:ARN")
                .shownAs(text -> text, text -> false);
    }

    /** Several, separated by commas or as a list of YAML. */
    public static ValueKind<List<String>> keySources() {
        return new Words(keySource(), MasterKeys.MAX_KEYS, "places of keys");
    }

    /** Words, separated by commas or as a list of YAML. */
    public static ValueKind<List<String>> words(int most) {
        return new Words(text(200), most, "words");
    }

    private record Words(TextKind<String> word, int most, String what) implements ValueKind<List<String>> {
        @Override
        public List<String> read(Value value) throws ValueRefusal {
            List<String> words = new ArrayList<>();
            if (value instanceof Value.Items items) {
                for (Value item : items.items()) {
                    words.add(word.read(item));
                }
            } else if (value instanceof Value.Text text) {
                for (String part : text.text().split(",", -1)) {
                    if (!part.isBlank()) {
                        words.add(word.read(Value.Text.of(part)));
                    }
                }
            } else {
                throw ValueRefusal.mustBe(allowed());
            }
            if (words.size() > most) {
                throw ValueRefusal.mustBe(allowed());
            }
            return List.copyOf(words);
        }

        @Override
        public String allowed() {
            return "a list of at most " + most + " " + what + ", separated by commas";
        }

        @Override
        public boolean mayBeRepeated(Value value) {
            return word.mayBeRepeated(value);
        }

        @Override
        public String shown(Value value, List<String> read) {
            return value instanceof Value.Items items
                    ? items.items().stream().map(Value::written).collect(Collectors.joining(","))
                    : value.written();
        }
    }
}
