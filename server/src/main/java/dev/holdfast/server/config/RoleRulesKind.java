package dev.holdfast.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A list of rules: {@code [{claims: {repository: acme/shop}, roles: {deploy: [state]}}]}. */
final class RoleRulesKind implements Kind<List<RoleRule>> {
    private static final int MOST = 200;
    private static final Set<String> FIELDS = Set.of("claims", "roles");

    @Override
    public List<RoleRule> read(Value value) throws Refusal {
        Value tree = Trees.unfolded(value);
        if (tree instanceof Value.Nothing) {
            return List.of();
        }
        if (!(tree instanceof Value.Items items) || items.items().size() > MOST) {
            throw Refusal.mustBe(allowed() + ", at most " + MOST);
        }
        Details details = new Details();
        List<RoleRule> rules = new ArrayList<>();
        for (int i = 0; i < items.items().size(); i++) {
            rules.add(rule(items.items().get(i), "[" + i + "]", details));
        }
        details.refuse();
        return List.copyOf(rules);
    }

    private static RoleRule rule(Value value, String path, Details details) {
        if (!(value instanceof Value.Fields entry)) {
            details.add(path, "must be a map with claims and roles", value.described());
            return new RoleRule(Map.of(), Map.of());
        }
        Map<String, Value> fields = entry.fields();
        fields.keySet().stream()
                .filter(field -> !FIELDS.contains(field))
                .forEach(field -> details.add(
                        path, "has an unknown field; there are only claims and roles", Refusal.quoted(field)));
        Value none = new Value.Nothing(value.line());
        Map<String, List<String>> claims =
                ClaimsKind.read(fields.getOrDefault("claims", none), path + ".claims", details);
        if (claims.isEmpty() && fields.get("claims") instanceof Value.Fields) {
            details.add(
                    path + ".claims",
                    "must name at least one claim; roles for every JWT are given by jwt.default-roles");
        }
        return new RoleRule(claims, RolesKind.read(fields.getOrDefault("roles", none), path + ".roles", details));
    }

    @Override
    public String allowed() {
        return "a list of maps with `claims` and `roles`";
    }

    @Override
    public String shown(Value value) {
        return Trees.shown(value);
    }
}
