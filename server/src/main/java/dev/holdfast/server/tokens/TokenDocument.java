package dev.holdfast.server.tokens;

import com.fasterxml.jackson.core.JsonGenerator;
import com.nimbusds.jose.util.JSONObjectUtils;
import dev.holdfast.server.http.JsonOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How tokens are stored, all in one document:
 *
 * <pre>
 *   {"format":1,"tokens":[{"id":"ci","sha256":"…","roles":{"deploy":["state"]},"group":"ci",
 *                          "created_at":"…","created_by":"ops","expires_at":"…"}]}
 * </pre>
 */
final class TokenDocument {
    private static final long FORMAT = 1;

    private TokenDocument() {}

    static byte[] write(List<StoredToken> tokens) {
        return JsonOutput.object(json -> {
                    json.writeNumberField("format", FORMAT);
                    json.writeArrayFieldStart("tokens");
                    for (StoredToken token : tokens) {
                        write(json, token);
                    }
                    json.writeEndArray();
                })
                .getBytes();
    }

    private static void write(JsonGenerator json, StoredToken token) throws IOException {
        json.writeStartObject();
        json.writeStringField("id", token.id());
        json.writeStringField("sha256", token.sha256());
        roles(json, token.roles());
        if (token.group().isPresent()) {
            json.writeStringField("group", token.group().get());
        }
        json.writeStringField("created_at", JsonOutput.time(token.createdAt()));
        json.writeStringField("created_by", token.createdBy());
        if (token.expiresAt().isPresent()) {
            json.writeStringField(
                    "expires_at", JsonOutput.time(token.expiresAt().get()));
        }
        json.writeEndObject();
    }

    /** The field with the roles, as in every answer about tokens. */
    static void roles(JsonGenerator json, Map<String, List<String>> roles) throws IOException {
        json.writeObjectFieldStart("roles");
        for (Map.Entry<String, List<String>> scope : roles.entrySet()) {
            json.writeArrayFieldStart(scope.getKey());
            for (String role : scope.getValue()) {
                json.writeString(role);
            }
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    /**
     * Reads it whole: a damaged document must not pass as fewer tokens, and must not be written over.
     *
     * @throws ParseException saying what is wrong, without what stands there
     */
    static List<StoredToken> read(byte[] content) throws ParseException {
        Map<String, Object> document = JSONObjectUtils.parse(new String(content, StandardCharsets.UTF_8));
        if (!Long.valueOf(FORMAT).equals(document.get("format"))) {
            throw new ParseException(
                    "it is of another format than " + FORMAT + "; was it written by a newer server?", 0);
        }
        if (!(document.get("tokens") instanceof List<?> list)) {
            throw new ParseException("it has no list of tokens", 0);
        }
        List<StoredToken> tokens = new ArrayList<>();
        for (Object entry : list) {
            if (!(entry instanceof Map<?, ?> fields)) {
                throw new ParseException("an entry is no token", 0);
            }
            tokens.add(token(fields));
        }
        return tokens;
    }

    private static StoredToken token(Map<?, ?> fields) throws ParseException {
        try {
            return new StoredToken(
                    text(fields, "id"),
                    text(fields, "sha256"),
                    roles(fields.get("roles")),
                    optional(fields, "group"),
                    Instant.parse(text(fields, "created_at")),
                    text(fields, "created_by"),
                    optional(fields, "expires_at").map(Instant::parse));
        } catch (DateTimeException e) {
            throw new ParseException("an entry has a time that is none", 0);
        }
    }

    private static Map<String, List<String>> roles(@Nullable Object value) throws ParseException {
        if (!(value instanceof Map<?, ?> scopes)) {
            throw new ParseException("an entry has no roles", 0);
        }
        Map<String, List<String>> roles = new LinkedHashMap<>();
        for (Map.Entry<?, ?> scope : scopes.entrySet()) {
            if (!(scope.getValue() instanceof List<?> names)) {
                throw new ParseException("an entry has roles that are no list", 0);
            }
            roles.put(
                    String.valueOf(scope.getKey()),
                    names.stream().map(String::valueOf).toList());
        }
        return roles;
    }

    private static String text(Map<?, ?> fields, String name) throws ParseException {
        return optional(fields, name).orElseThrow(() -> new ParseException("an entry has no '" + name + "'", 0));
    }

    private static Optional<String> optional(Map<?, ?> fields, String name) {
        return fields.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }
}
