package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Glob;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A list of webhooks: {@code [{id: ops, url: "https://ops.example.com/hook", secret: "env:OPS_SECRET", events: [lock.forced]}]}.
 *
 * <p>What stands at {@code url} and {@code secret} is never repeated, and of an address only the host is shown.
 */
public final class WebhooksKind extends EntriesKind<WebhookEntry> {
    /** Each has a thread while it is told, and a document. */
    private static final int MOST = 20;
    /** Patterns of one webhook; each is compared with every event. */
    private static final int MOST_PATTERNS = 100;

    private static final Pattern ID = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
    /** Shorter ones can be guessed from a single delivery. */
    private static final Pattern SECRET = Pattern.compile("[!-~]{16,512}");

    private static final Pattern ELSEWHERE = Pattern.compile("(env:[A-Za-z_][A-Za-z0-9_]{0,99}|file:\\S.{0,499})");

    public WebhooksKind() {
        super(
                MOST,
                "a list of maps with `id`, `url`, and optionally `secret`, `events`, `namespaces`, `locks` and `format`",
                List.of("id", "url", "secret", "events", "namespaces", "locks", "format"));
    }

    /** Whether this only says where the value stands. */
    public static boolean isElsewhere(String text) {
        return ELSEWHERE.matcher(text).matches();
    }

    /** Whether something can be signed with this. */
    public static boolean isSecret(String text) {
        return SECRET.matcher(text).matches();
    }

    /**
     * The address this text is.
     *
     * @throws ValueRefusal if it is none of http or https; the text is not repeated
     */
    public static URI address(String text) throws ValueRefusal {
        return Texts.webAddress().read(Value.Text.of(text));
    }

    @Override
    Supplier<WebhookEntry> entry(Part part) {
        String id = part.text("id");
        if (!ID.matcher(id).matches()) {
            part.refuse(
                    "id",
                    "must be 1 to 64 of a-z 0-9 _ . -, a letter or digit first",
                    part.value("id").described());
        }
        String url = url(part);
        String format = part.optionalText("format").orElse("json").toLowerCase(Locale.ROOT);
        if (!Set.of("json", "slack").contains(format)) {
            part.refuse("format", "must be json or slack", part.value("format").described());
        }
        Optional<String> secret = secret(part, format);
        List<String> events = events(part);
        List<Glob> namespaces = patterns(part, "namespaces");
        List<Glob> locks = patterns(part, "locks");
        return () -> new WebhookEntry(id, url, secret, events, namespaces, locks, format);
    }

    private static String url(Part part) {
        String url = part.text("url").strip();
        if (!isElsewhere(url)) {
            try {
                var unused = address(url);
            } catch (ValueRefusal e) {
                part.refuse(
                        "url",
                        "must be a URL that starts with http:// or https://, without user and password;"
                                + " or env:NAME or file:PATH, which hold it");
            }
        }
        return url;
    }

    private static Optional<String> secret(Part part, String format) {
        Optional<String> secret = part.optionalText("secret").map(String::strip);
        if (secret.isEmpty() && format.equals("json")) {
            part.refuse("secret", "is missing; only the format slack, which has no signatures, can do without");
        }
        if (secret.filter(text -> !isElsewhere(text) && !isSecret(text)).isPresent()) {
            part.refuse(
                    "secret",
                    "must be 16 to 512 printable characters without spaces, or env:NAME or file:PATH, which hold it");
        }
        return secret;
    }

    private static List<String> events(Part part) {
        List<String> events = words(part, "events");
        for (String event : events) {
            if (!WebhookEntry.EVENTS.contains(event)) {
                part.refuse(
                        "events",
                        "must be some of " + String.join(", ", WebhookEntry.EVENTS),
                        ValueRefusal.quoted(event));
            }
        }
        return events.isEmpty() ? WebhookEntry.EVENTS : events;
    }

    private static List<Glob> patterns(Part part, String name) {
        List<Glob> patterns = new ArrayList<>();
        for (String text : words(part, name)) {
            if (ClaimsKind.isShort(text, Glob.MAX)) {
                patterns.add(new Glob(text));
            } else {
                part.refuse(
                        name, "must be texts of 1 to " + Glob.MAX + " printable characters, in which * stands for any");
            }
        }
        return patterns;
    }

    /** A text, or a list of them. */
    private static List<String> words(Part part, String name) {
        if (!part.has(name)) {
            return List.of();
        }
        Value value = part.value(name);
        List<Value> all = value instanceof Value.Items items ? items.items() : List.of(value);
        if (all.isEmpty() || all.size() > MOST_PATTERNS || !all.stream().allMatch(item -> item instanceof Value.Text)) {
            part.refuse(name, "must be a text, or a list of 1 to " + MOST_PATTERNS + " of them", value.described());
            return List.of();
        }
        return all.stream().map(item -> ((Value.Text) item).text().strip()).toList();
    }

    @Override
    void compare(List<Part> parts) {
        Set<String> ids = new HashSet<>();
        for (Part part : parts) {
            if (!ids.add(part.text("id"))) {
                part.refuse("id", "is used by an earlier webhook", ValueRefusal.quoted(part.text("id")));
            }
        }
    }

    @Override
    public String shown(Value value, List<WebhookEntry> read) {
        return read.stream().map(WebhooksKind::shown).collect(Collectors.joining(", ", "[", "]"));
    }

    private static String shown(WebhookEntry entry) {
        return "{id: " + entry.id() + ", url: " + Value.flow(masked(entry.url()))
                + entry.secret()
                        .map(secret -> ", secret: " + (isElsewhere(secret) ? Value.flow(secret) : "***"))
                        .orElse("")
                + ", events: [" + String.join(", ", entry.events()) + "]"
                + shown("namespaces", entry.namespaces()) + shown("locks", entry.locks())
                + ", format: " + entry.format() + "}";
    }

    private static String shown(String name, List<Glob> patterns) {
        return patterns.isEmpty()
                ? ""
                : patterns.stream()
                        .map(pattern -> Value.flow(pattern.pattern()))
                        .collect(Collectors.joining(", ", ", " + name + ": [", "]"));
    }

    /** Only the host: what follows it is a secret with many receivers. */
    private static String masked(String url) {
        if (isElsewhere(url)) {
            return url;
        }
        URI address = URI.create(url);
        return address.getScheme() + "://" + address.getRawAuthority() + "/***";
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return false;
    }
}
