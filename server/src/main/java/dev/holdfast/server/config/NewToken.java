package dev.holdfast.server.config;

import dev.holdfast.server.auth.Digest;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.config.settings.AuthSettings;
import dev.holdfast.server.config.values.TokensKind;
import dev.holdfast.server.config.values.Value;
import dev.holdfast.server.config.values.ValueRefusal;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** An API token that was just made. Only its owner should ever see {@link #secret}; the server is given {@link #yaml}. */
public final class NewToken {
    /** Tokens begin so, for people and for programs that look for secrets in the wrong places. */
    public static final String PREFIX = "hf_";

    private static final int RANDOM_BYTES = 32;

    private final String secret;
    private final TokenEntry entry;
    private final Map<String, Set<String>> roles;

    private NewToken(String secret, TokenEntry entry, Map<String, Set<String>> roles) {
        this.secret = secret;
        this.entry = entry;
        this.roles = roles;
    }

    /**
     * Makes a token of 256 random bits.
     *
     * @param roles by namespace, or {@code *}; printed in this order
     * @throws ConfigProblems if the id or a role would be refused by the server
     */
    public static NewToken create(String id, Map<String, Set<String>> roles) {
        return create(id, roles, Optional.empty(), Optional.empty());
    }

    /** The same for some time, or in a service account group. */
    public static NewToken create(
            String id, Map<String, Set<String>> roles, Optional<Instant> expires, Optional<String> group) {
        String secret = randomSecret();
        check(tree(id, sha256(secret), roles, expires, group));
        TokenEntry entry = new TokenEntry(id, sha256(secret), Grants.spelled(roles), expires, group);
        return new NewToken(secret, entry, new LinkedHashMap<>(roles));
    }

    public static String randomSecret() {
        byte[] random = new byte[RANDOM_BYTES];
        new SecureRandom().nextBytes(random);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** The hash the server knows a token by: over its UTF-8 bytes, as lower-case hexadecimal digits. */
    public static String sha256(String token) {
        return Digest.of(token).hex();
    }

    public String secret() {
        return secret;
    }

    public TokenEntry entry() {
        return entry;
    }

    /** The entry for {@code auth.tokens}, as lines of YAML. */
    public String yaml() {
        StringBuilder yaml = new StringBuilder()
                .append("- id: ")
                .append(Value.flow(entry.id()))
                .append("\n  sha256: ")
                .append(Value.flow(entry.sha256()));
        entry.expires().ifPresent(end -> yaml.append("\n  expires: ").append(Value.flow(end.toString())));
        entry.group().ifPresent(group -> yaml.append("\n  group: ").append(Value.flow(group)));
        yaml.append("\n  roles:\n");
        roles.forEach((namespace, granted) -> yaml.append("    ")
                .append(Value.flow(namespace))
                .append(": [")
                .append(String.join(", ", granted))
                .append("]\n"));
        return yaml.toString();
    }

    /** The same check the server makes. */
    private static void check(Value tokens) {
        Problems problems = new Problems();
        Layer.SourceValue given =
                new Layer.SourceValue(AuthSettings.TOKENS, tokens, new Origin(Origin.Level.FLAG, "new token"));
        try {
            new TokensKind().read(given.value());
        } catch (ValueRefusal e) {
            problems.refused(given, e);
        }
        problems.throwIfAny();
    }

    private static Value tree(
            String id,
            String sha256,
            Map<String, Set<String>> roles,
            Optional<Instant> expires,
            Optional<String> group) {
        Map<String, Value> granted = new LinkedHashMap<>();
        roles.forEach((namespace, names) -> granted.put(
                namespace,
                new Value.Items(names.stream().<Value>map(Value.Text::of).toList(), 1)));
        Map<String, Value> fields = new LinkedHashMap<>();
        fields.put("id", Value.Text.of(id));
        fields.put("sha256", Value.Text.of(sha256));
        fields.put("roles", new Value.Fields(granted, 1));
        expires.ifPresent(end -> fields.put("expires", Value.Text.of(end.toString())));
        group.ifPresent(text -> fields.put("group", Value.Text.of(text)));
        return new Value.Items(List.of(new Value.Fields(fields, 1)), 1);
    }

    @Override
    public String toString() {
        return "NewToken[" + entry + "]";
    }
}
