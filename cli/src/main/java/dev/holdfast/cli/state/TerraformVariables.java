package dev.holdfast.cli.state;

import dev.holdfast.client.ServerConfig;
import dev.holdfast.client.ServerStates;
import dev.holdfast.model.LeaseId;
import dev.holdfast.state.versions.Stack;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What lets terraform and OpenTofu use the state of a server under a lock that is held already: an address that carries the
 * id of the lock with every save, and no address to lock at. They would ask for the lock with an id of their own, and wait for
 * themselves. With an empty block {@code backend "http" {}} they take all of it from the environment.
 */
final class TerraformVariables {
    /** Any name will do: the server looks at the token. */
    private static final String USER = "holdfast";

    private TerraformVariables() {}

    static Map<String, Optional<String>> of(ServerConfig servers, Stack stack, LeaseId lease) {
        Map<String, Optional<String>> variables = new LinkedHashMap<>();
        variables.put(
                "TF_HTTP_ADDRESS",
                Optional.of(servers.servers().get(0) + ServerStates.path(stack) + "?ID=" + lease.value()));
        variables.put("TF_HTTP_UPDATE_METHOD", Optional.of("POST"));
        variables.put("TF_HTTP_LOCK_ADDRESS", Optional.empty());
        variables.put("TF_HTTP_UNLOCK_ADDRESS", Optional.empty());
        servers.token().ifPresent(token -> {
            variables.put("TF_HTTP_USERNAME", Optional.of(USER));
            variables.put("TF_HTTP_PASSWORD", Optional.of(token));
        });
        return variables;
    }
}
