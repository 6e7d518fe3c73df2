package dev.holdfast.server.config;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A list of API tokens: {@code [{id: ci, sha256: 8d1f…, roles: {"*": [read]}, expires: 2027-01-31, group: ci}]}; the last two may be
 * left out.
 *
 * <p>What stands at {@code sha256} is never shown or repeated: somebody may have put the token itself there.
 */
final class TokensKind implements Kind<List<TokenEntry>> {
    private static final int MOST = 1_000;
    static final Pattern ID = Pattern.compile("[A-Za-z0-9_.@:-]{1,64}");
    private static final Pattern GROUP = Pattern.compile("[A-Za-z0-9_.@:/-]{1,200}");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Set<String> FIELDS = Set.of("id", "sha256", "roles", "expires", "group");

    /** Hashes that stand in manuals, and those of the words that are tried first. Whoever uses one has published the token. */
    private static final Set<String> SAMPLES = Stream.of(
                    "",
                    "abc",
                    "password",
                    "changeme",
                    "change-me",
                    "secret",
                    "token",
                    "test",
                    "admin",
                    "root",
                    "example",
                    "holdfast",
                    "hf_",
                    "letmein",
                    "hello",
                    "hello world",
                    "foo",
                    "bar",
                    "x",
                    "a",
                    "1",
                    "1234",
                    "12345",
                    "123456",
                    "12345678",
                    "123456789",
                    "qwerty",
                    "my-token",
                    "mytoken",
                    "my-secret",
                    "mysecret",
                    "s3cret",
                    "TOKEN",
                    "<token>",
                    "\n",
                    "abc\n",
                    "password\n",
                    "changeme\n")
            .map(NewToken::sha256)
            .collect(Collectors.toUnmodifiableSet());

    @Override
    public List<TokenEntry> read(Value value) throws Refusal {
        Value tree = Trees.unfolded(value);
        if (tree instanceof Value.Nothing) {
            return List.of();
        }
        if (!(tree instanceof Value.Items items) || items.items().size() > MOST) {
            throw Refusal.mustBe(allowed() + ", at most " + MOST);
        }
        Details details = new Details();
        List<TokenEntry> entries = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            entries.add(entry(items.items().get(i), "[" + i + "]", details));
        }
        unique(entries, details);
        details.refuse();
        return List.copyOf(entries);
    }

    private static TokenEntry entry(Value value, String path, Details details) {
        if (!(value instanceof Value.Fields entry)) {
            details.add(path, "must be a map with id, sha256, roles, and perhaps expires and group");
            return new TokenEntry("", "", Map.of());
        }
        Map<String, Value> fields = entry.fields();
        for (String field : fields.keySet()) {
            if (!FIELDS.contains(field)) {
                details.add(
                        path,
                        "has an unknown field; there are only id, sha256, roles, expires and group",
                        Refusal.quoted(field));
            }
        }
        String id = text(fields, "id");
        if (!ID.matcher(id).matches()) {
            details.add(path + ".id", "must be 1 to 64 of A-Z a-z 0-9 _ . @ : -", Refusal.quoted(id));
        }
        String sha256 = text(fields, "sha256").toLowerCase(Locale.ROOT);
        if (!HASH.matcher(sha256).matches()) {
            details.add(
                    path + ".sha256",
                    "must be 64 hexadecimal digits, the SHA-256 of the token; make one with: holdfast token create");
        } else if (SAMPLES.contains(sha256)) {
            details.add(
                    path + ".sha256",
                    "is the hash of a sample that everybody knows; make a token with: holdfast token create");
        }
        Value roles = fields.getOrDefault("roles", new Value.Nothing(value.line()));
        return new TokenEntry(
                id,
                sha256,
                RolesKind.read(roles, path + ".roles", details),
                expires(fields, path, details),
                group(fields, path, details));
    }

    private static Optional<Instant> expires(Map<String, Value> fields, String path, Details details) {
        if (!fields.containsKey("expires")) {
            return Optional.empty();
        }
        String text = text(fields, "expires");
        try {
            return Optional.of(
                    DATE.matcher(text).matches()
                            ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                            : OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeParseException e) {
            details.add(
                    path + ".expires",
                    "must be a time such as 2027-01-31T18:00:00Z, or a date: then it counts until that day begins in UTC",
                    Refusal.quoted(text));
            return Optional.empty();
        }
    }

    /** The group in an entry, if it has one. */
    static Optional<String> group(Map<String, Value> fields, String path, Details details) {
        if (!fields.containsKey("group")) {
            return Optional.empty();
        }
        String group = text(fields, "group");
        if (!GROUP.matcher(group).matches()) {
            details.add(path + ".group", "must be 1 to 200 of A-Z a-z 0-9 _ . @ : / -", Refusal.quoted(group));
        }
        return Optional.of(group);
    }

    static String text(Map<String, Value> fields, String name) {
        return fields.get(name) instanceof Value.Text text ? text.text() : "";
    }

    private static void unique(List<TokenEntry> entries, Details details) {
        Set<String> ids = new HashSet<>();
        Set<String> hashes = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            TokenEntry entry = entries.get(i);
            if (!entry.id().isEmpty() && !ids.add(entry.id())) {
                details.add("[" + i + "].id", "is used by an earlier token", Refusal.quoted(entry.id()));
            }
            if (!entry.sha256().isEmpty() && !hashes.add(entry.sha256())) {
                details.add("[" + i + "].sha256", "is the same as that of an earlier token");
            }
        }
    }

    @Override
    public String allowed() {
        return "a list of maps with `id`, `sha256`, `roles`, and perhaps `expires` and `group`";
    }

    @Override
    public String shown(Value value) {
        try {
            return read(value).stream()
                    .map(entry -> "{id: " + entry.id() + ", sha256: ***, roles: " + roles(entry.roles())
                            + entry.expires().map(end -> ", expires: " + end).orElse("")
                            + entry.group().map(group -> ", group: " + group).orElse("") + "}")
                    .collect(Collectors.joining(", ", "[", "]"));
        } catch (Refusal e) {
            return "***"; // never: it was read before
        }
    }

    static String roles(Map<String, Set<String>> roles) {
        return roles.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(granted -> FlowText.of(granted.getKey()) + ": "
                        + granted.getValue().stream().sorted().toList())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public boolean mayBeRepeated(Value value) {
        return false;
    }
}
