package dev.holdfast.server.config;

import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.TokenSecret;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.values.TokensKind;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An API token that was just made.
 *
 * @param secret only its owner should ever see it
 * @param yaml the entry for {@code auth.tokens}, as lines of YAML
 */
public record NewToken(String secret, TokenEntry entry, String yaml) {
    /**
     * Makes a token of 256 random bits.
     *
     * @param roles by namespace, or {@code *}; printed in this order
     * @throws ConfigProblems if the id, the group or a role would be refused by the server
     */
    public static NewToken create(
            String id, Map<String, Set<String>> roles, Optional<Instant> expires, Optional<String> group) {
        String secret = TokenSecret.random();
        String sha256 = TokenSecret.sha256(secret);
        String yaml = yaml(id, sha256, roles, expires, group);
        check(yaml);
        return new NewToken(secret, new TokenEntry(id, sha256, Grants.spelled(roles), expires, group), yaml);
    }

    private static String yaml(
            String id,
            String sha256,
            Map<String, Set<String>> roles,
            Optional<Instant> expires,
            Optional<String> group) {
        StringBuilder yaml = new StringBuilder("- id: " + Value.flow(id) + "\n  sha256: " + Value.flow(sha256));
        expires.ifPresent(end -> yaml.append("\n  expires: ").append(Value.flow(end.toString())));
        group.ifPresent(text -> yaml.append("\n  group: ").append(Value.flow(text)));
        yaml.append("\n  roles:\n");
        roles.forEach((namespace, granted) -> yaml.append("    ")
                .append(Value.flow(namespace))
                .append(granted.stream().map(Value::flow).collect(Collectors.joining(", ", ": [", "]\n"))));
        return yaml.toString();
    }

    private static void check(String yaml) {
        Problems problems = new Problems();
        Layer.SourceValue given = new Layer.SourceValue(
                AuthSettings.TOKENS, Value.Text.of(yaml), new Origin(Origin.Level.FLAG, "new token"));
        try {
            new TokensKind().read(given.value());
        } catch (ValueRefusal e) {
            problems.refused(given, e);
        }
        problems.throwIfAny();
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "NewToken[" + entry + "]";
    }
}
