package dev.holdfast.server.tokens;

import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.TokenJson;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.JsonText;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        return Json.build()
                .with("format", FORMAT)
                .with("tokens", Json.array(tokens, TokenDocument::write))
                .build()
                .bytes();
    }

    private static Json.Obj write(StoredToken token) {
        return Json.build()
                .with("id", token.id())
                .with("sha256", token.sha256())
                .with("roles", TokenJson.roles(token.roles()))
                .ifPresent("group", token.group())
                .with("created_at", Rfc3339.text(token.createdAt()))
                .with("created_by", token.createdBy())
                .ifPresent("expires_at", token.expiresAt().map(Rfc3339::text))
                .build();
    }

    /**
     * Reads it whole: a damaged document must not pass as fewer tokens, and must not be written over.
     *
     * @throws IllegalArgumentException saying what is wrong, without what stands there
     */
    static List<StoredToken> read(byte[] content) {
        Json document = JsonText.read("it", content, 0, content.length);
        if (!document.at("format").equals(Json.of(FORMAT))) {
            throw new IllegalArgumentException(
                    "it is of another format than " + FORMAT + "; was it written by a newer server?");
        }
        if (!(document.at("tokens") instanceof Json.Arr tokens)) {
            throw new IllegalArgumentException("it has no list of tokens");
        }
        return tokens.items().stream().map(TokenDocument::token).toList();
    }

    private static StoredToken token(Json entry) {
        try {
            return new StoredToken(
                    text(entry, "id"),
                    text(entry, "sha256"),
                    roles(entry),
                    entry.at("group").text(),
                    Instant.parse(text(entry, "created_at")),
                    text(entry, "created_by"),
                    entry.at("expires_at").text().map(Instant::parse));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("an entry has an invalid time", e);
        }
    }

    private static Map<String, List<String>> roles(Json entry) {
        if (!(entry.at("roles") instanceof Json.Obj scopes)) {
            throw new IllegalArgumentException("an entry has no roles");
        }
        Map<String, List<String>> roles = new LinkedHashMap<>();
        scopes.members().forEach((scope, names) -> {
            if (!(names instanceof Json.Arr list)) {
                throw new IllegalArgumentException("an entry has roles that are not a list");
            }
            roles.put(scope, list.items().stream().map(Json::plain).toList());
        });
        return roles;
    }

    private static String text(Json entry, String name) {
        return entry.at(name).text().orElseThrow(() -> new IllegalArgumentException("an entry has no '" + name + "'"));
    }
}
