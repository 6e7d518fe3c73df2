package dev.holdfast.server.config.values;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.jwt.ClaimRules;
import dev.holdfast.server.auth.jwt.RoleRule;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** A list of rules: {@code [{claims: {repository: acme/shop}, roles: {deploy: [state]}}]}. */
public final class RoleRulesKind extends EntriesKind<RoleRule> {
    private static final int MOST = 200;

    public RoleRulesKind() {
        super(MOST, "a list of maps with `claims` and `roles`", List.of("claims", "roles"));
    }

    @Override
    Supplier<RoleRule> entry(Part part) {
        Map<String, List<String>> claims =
                ClaimsKind.read(part.value("claims"), part.path() + ".claims", part.details());
        if (claims.isEmpty() && part.value("claims") instanceof Value.Fields) {
            part.refuse("claims", "must name at least one claim; roles for every JWT are given by jwt.default-roles");
        }
        Map<String, List<String>> roles = part.roles();
        return () -> new RoleRule(ClaimRules.spelled(claims), Grants.spelled(roles));
    }
}
