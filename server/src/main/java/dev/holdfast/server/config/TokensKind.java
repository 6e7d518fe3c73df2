package dev.holdfast.server.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A list of API tokens: {@code [{id: ci, sha256: 5e88…, roles: {"*": [read]}}]}.
 *
 * <p>What stands at {@code sha256} is never shown or repeated: somebody may have put the token itself there.
 */
final class TokensKind implements Kind<List<TokenEntry>> {
    private static final int MOST = 10_000;
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.@:-]{1,64}");
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final Set<String> FIELDS = Set.of("id", "sha256", "roles");

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
            details.add(path, "must be a map with id, sha256 and roles");
            return new TokenEntry("", "", Map.of());
        }
        Map<String, Value> fields = entry.fields();
        for (String field : fields.keySet()) {
            if (!FIELDS.contains(field)) {
                details.add(path, "has an unknown field; there are only id, sha256 and roles", Refusal.quoted(field));
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
        }
        Value roles = fields.getOrDefault("roles", new Value.Nothing(value.line()));
        return new TokenEntry(id, sha256, RolesKind.read(roles, path + ".roles", details));
    }

    private static String text(Map<String, Value> fields, String name) {
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
        return "a list of maps with `id`, `sha256` and `roles`";
    }

    @Override
    public String shown(Value value) {
        try {
            return read(value).stream()
                    .map(entry -> "{id: " + entry.id() + ", sha256: ***, roles: " + roles(entry) + "}")
                    .collect(Collectors.joining(", ", "[", "]"));
        } catch (Refusal e) {
            return "***"; // never: it was read before
        }
    }

    private static String roles(TokenEntry entry) {
        return entry.roles().entrySet().stream()
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
