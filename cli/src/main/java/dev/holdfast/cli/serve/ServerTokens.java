package dev.holdfast.cli.serve;

import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.wire.TokenJson;
import dev.holdfast.wire.json.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

record ServerTokens(ServerCalls server) {
    private static final String TOKENS = "/v2/tokens";

    static ServerTokens of(Target target) {
        if (target.store().isPresent() && !target.namesServer()) {
            throw new IllegalArgumentException(
                    "Tokens are created and revoked by a server, not in its store; name one with --server");
        }
        return new ServerTokens(new ServerCalls(target.servers()));
    }

    List<TokenJson> all() throws InterruptedException {
        return server.send("GET", TOKENS, Optional.empty()).objects("items").stream()
                .map(TokenJson::read)
                .toList();
    }

    /** Makes one; the answer is {@link TokenJson#created}. */
    Json.Obj create(String id, Map<String, List<String>> roles, Optional<Duration> life, Optional<String> group)
            throws InterruptedException {
        Json asked = TokenJson.request(id, roles, life, group);
        return server.send("POST", TOKENS, Optional.of(asked.compact()));
    }

    void revoke(String id) throws InterruptedException {
        String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        server.send("DELETE", TOKENS + "/" + encoded, Optional.empty());
    }
}
