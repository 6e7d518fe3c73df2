package dev.holdfast.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A list of client certificates: {@code [{san: "spiffe://acme/ci", id: ci, roles: {deploy: [state]}}]}. */
final class CertificatesKind implements Kind<List<CertificateRule>> {
    private static final int MOST = 1_000;
    private static final int LONGEST_PATTERN = 500;
    private static final Set<String> FIELDS = Set.of("subject", "san", "id", "roles", "group");

    @Override
    public List<CertificateRule> read(Value value) throws Refusal {
        Value tree = Trees.unfolded(value);
        if (tree instanceof Value.Nothing) {
            return List.of();
        }
        if (!(tree instanceof Value.Items items) || items.items().size() > MOST) {
            throw Refusal.mustBe(allowed() + ", at most " + MOST);
        }
        Details details = new Details();
        List<CertificateRule> rules = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            rules.add(rule(items.items().get(i), "[" + i + "]", details));
        }
        details.refuse();
        return List.copyOf(rules);
    }

    private static CertificateRule rule(Value value, String path, Details details) {
        if (!(value instanceof Value.Fields entry)) {
            details.add(path, "must be a map with subject or san, and roles", value.described());
            return new CertificateRule(
                    Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty());
        }
        Map<String, Value> fields = entry.fields();
        fields.keySet().stream()
                .filter(field -> !FIELDS.contains(field))
                .forEach(field -> details.add(
                        path,
                        "has an unknown field; there are only subject, san, id, roles and group",
                        Refusal.quoted(field)));
        if (fields.containsKey("subject") == fields.containsKey("san")) {
            details.add(path, "must have either subject or san");
        }
        Value roles = fields.getOrDefault("roles", new Value.Nothing(value.line()));
        return new CertificateRule(
                pattern(fields, "subject", path, details),
                pattern(fields, "san", path, details),
                id(fields, path, details),
                RolesKind.read(roles, path + ".roles", details),
                TokensKind.group(fields, path, details));
    }

    private static Optional<String> pattern(Map<String, Value> fields, String name, String path, Details details) {
        Value given = fields.get(name);
        if (given == null) {
            return Optional.empty();
        }
        String text = TokensKind.text(fields, name);
        if (!ClaimsKind.isShort(text, LONGEST_PATTERN)) {
            details.add(
                    path + "." + name,
                    "must be 1 to 500 printable characters, in which * stands for any",
                    given.described());
        }
        return Optional.of(text);
    }

    private static Optional<String> id(Map<String, Value> fields, String path, Details details) {
        if (!fields.containsKey("id")) {
            return Optional.empty();
        }
        String id = TokensKind.text(fields, "id");
        if (!TokensKind.ID.matcher(id).matches()) {
            details.add(path + ".id", "must be 1 to 64 of A-Z a-z 0-9 _ . @ : -", Refusal.quoted(id));
        }
        return Optional.of(id);
    }

    @Override
    public String allowed() {
        return "a list of maps with `subject` or `san`, `roles`, and perhaps `id` and `group`";
    }

    @Override
    public String shown(Value value) {
        return Trees.shown(value);
    }
}
