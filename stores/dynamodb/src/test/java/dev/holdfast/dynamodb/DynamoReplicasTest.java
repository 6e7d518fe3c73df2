package dev.holdfast.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.ReplicasContract;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Set up by the environment alone. */
@DisplayName("two replicas over one DynamoDB table")
class DynamoReplicasTest extends ReplicasContract {
    private final Map<String, String> environment = Map.of(
            "SPRING_PROFILES_ACTIVE", "dynamodb",
            "LOCKER_DYNAMODB_REGION", Dynamo.REGION,
            "LOCKER_DYNAMODB_ENDPOINT", "http://127.0.0.1:" + Dynamo.port(),
            "LOCKER_DYNAMODB_TABLENAME", Dynamo.freshTable(),
            "LOCKER_DYNAMODB_ACCESSKEYID", "AKID",
            "LOCKER_DYNAMODB_SECRETACCESSKEY", "s/e+cret",
            "AUTHENTICATION_DISABLED", "true");
    private final List<HoldfastServer> replicas = new ArrayList<>();

    @Override
    protected int startReplica(Path directory) {
        List<String> options = List.of("--server.port=0", "--server.host=127.0.0.1");
        HoldfastServer replica = HoldfastServer.start(ServerSetup.of(Settings.load(options, environment, directory)));
        replicas.add(replica);
        return replica.port();
    }

    @AfterEach
    void stop() {
        replicas.forEach(HoldfastServer::close);
    }

    @Test
    @DisplayName("the table of locks is enough to serve them; state says what it needs")
    void locksAlone() throws Exception {
        assertThat(post(0, "/v2/locks/acquire", asking("alone", 0)).statusCode())
                .isEqualTo(200);
        HttpRequest state =
                HttpRequest.newBuilder(URI.create(address(0) + "/state")).build();
        HttpResponse<String> told = HTTP.send(state, BodyHandlers.ofString());
        assertThat(told.statusCode()).isEqualTo(501);
        assertThat(told.body()).contains("state.store");
    }
}
