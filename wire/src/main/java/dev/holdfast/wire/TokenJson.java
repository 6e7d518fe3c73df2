package dev.holdfast.wire;

import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An API token as a server shows it: never the token itself, which only the answer to its creation has.
 *
 * @param roles by namespace, or {@code *}
 * @param createdAt when a server made it; empty if it is in the configuration, as for {@code createdBy}
 */
public record TokenJson(
        String id,
        Map<String, List<String>> roles,
        Optional<String> group,
        Optional<Instant> createdAt,
        Optional<String> createdBy,
        Optional<Instant> expiresAt,
        boolean expired) {

    /** {@code POST /v2/tokens}; the server reads it field by field, to name all its faults. */
    public static Json.Obj request(
            String id, Map<String, List<String>> roles, Optional<Duration> life, Optional<String> group) {
        ObjectBuilder json = Json.build().with("id", id).with("roles", roles(roles));
        life.ifPresent(it -> json.with("expires_in_ms", it.toMillis()));
        return json.ifPresent("group", group).build();
    }

    /** The answer to its creation. */
    public Json.Obj created(String secret) {
        return members(Json.build().with("token", secret));
    }

    /** Reads the token itself of {@link #created}. */
    public static String secret(Json.Obj from) {
        return AnswerFields.text(from, "token");
    }

    public Json.Obj write() {
        return members(Json.build());
    }

    public static TokenJson read(Json.Obj from) {
        Map<String, List<String>> roles = new LinkedHashMap<>();
        Json.Obj scopes = AnswerFields.object(from, "roles");
        scopes.members().keySet().forEach(scope -> roles.put(scope, scopes.texts(scope)));
        return new TokenJson(
                AnswerFields.text(from, "id"),
                roles,
                from.text("group"),
                AnswerFields.optionalTime(from, "created_at"),
                from.text("created_by"),
                AnswerFields.optionalTime(from, "expires_at"),
                from.at("expired").isTrue());
    }

    private Json.Obj members(ObjectBuilder json) {
        return json.with("id", id)
                .with("roles", roles(roles))
                .with("group", group)
                .with("source", createdBy.isPresent() ? "stored" : "configuration")
                .with("created_at", createdAt.map(Rfc3339::text))
                .with("created_by", createdBy)
                .with("expires_at", expiresAt.map(Rfc3339::text))
                .with("expired", expired)
                .build();
    }

    /** Roles as documents have them, too. */
    public static Json.Obj roles(Map<String, List<String>> roles) {
        ObjectBuilder scopes = Json.build();
        roles.forEach((scope, names) -> scopes.with(scope, Json.array(names, Json::of)));
        return scopes.build();
    }
}
