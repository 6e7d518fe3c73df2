package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

record ServerTokens(ServerCalls server) {
    private static final String TOKENS = "/v2/tokens";

    static ServerTokens of(Target target) {
        if (target.store().isPresent() && !target.namesServer()) {
            throw new IllegalArgumentException(
                    "Tokens are created and revoked by a server, not in its store; name one with --server");
        }
        return new ServerTokens(new ServerCalls(target.servers()));
    }

    List<Json> all() throws InterruptedException {
        return server.send("GET", TOKENS, Optional.empty()).at("items").items();
    }

    /** Makes one; the answer has the token itself. */
    Json create(String id, Map<String, Set<String>> roles, Optional<Duration> life, Optional<String> group)
            throws InterruptedException {
        ObjectBuilder scopes = Json.build();
        roles.forEach((scope, granted) -> scopes.with(scope, Json.array(granted, Json::of)));
        ObjectBuilder token = Json.build().with("id", id).with("roles", scopes.build());
        life.ifPresent(it -> token.with("expires_in_ms", it.toMillis()));
        token.ifPresent("group", group);
        return server.send("POST", TOKENS, Optional.of(new String(token.build().bytes(), StandardCharsets.UTF_8)));
    }

    void revoke(String id) throws InterruptedException {
        String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        server.send("DELETE", TOKENS + "/" + encoded, Optional.empty());
    }
}
