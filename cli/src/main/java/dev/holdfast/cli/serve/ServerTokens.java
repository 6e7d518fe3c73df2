package dev.holdfast.cli.serve;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.cli.connect.ServerCalls;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The tokens of a server. */
final class ServerTokens {
    private static final String TOKENS = "/v2/tokens";

    private final ServerCalls server;

    private ServerTokens(ServerCalls server) {
        this.server = server;
    }

    /** Of the server that a command is about. */
    static ServerTokens of(Target target) {
        if (target.store().isPresent() && !target.namesServer()) {
            throw new IllegalArgumentException(
                    "Tokens are made and revoked by a server, not in its store; name one with --server");
        }
        return new ServerTokens(new ServerCalls(target.servers()));
    }

    List<Json> all() throws InterruptedException {
        return server.send("GET", TOKENS, Optional.empty()).at("items").items();
    }

    /** Makes one; the answer has the token itself. */
    Json create(String id, Map<String, Set<String>> roles, Optional<Duration> life, Optional<String> group)
            throws InterruptedException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeObjectFieldStart("roles");
            for (Map.Entry<String, Set<String>> scope : roles.entrySet()) {
                json.writeArrayFieldStart(scope.getKey());
                for (String role : scope.getValue()) {
                    json.writeString(role);
                }
                json.writeEndArray();
            }
            json.writeEndObject();
            if (life.isPresent()) {
                json.writeNumberField("expires_in_ms", life.get().toMillis());
            }
            if (group.isPresent()) {
                json.writeStringField("group", group.get());
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // cannot happen in memory
        }
        return server.send("POST", TOKENS, Optional.of(text.toString()));
    }

    void revoke(String id) throws InterruptedException {
        String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("+", "%20");
        server.send("DELETE", TOKENS + "/" + encoded, Optional.empty());
    }
}
