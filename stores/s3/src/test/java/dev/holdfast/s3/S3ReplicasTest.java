package dev.holdfast.s3;

import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.Settings;
import dev.holdfast.testkit.ReplicasContract;
import dev.holdfast.testkit.servers.HttpFront;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

@DisplayName("two replicas over one S3 bucket")
class S3ReplicasTest extends ReplicasContract {
    private final HttpFront front = new HttpFront(S3.server().port());
    private final String store = S3.url(front.port(), S3.server().freshBucket());
    private final List<HoldfastServer> replicas = new ArrayList<>();

    @Override
    protected int startReplica(Path directory) {
        List<String> options = List.of(
                "--server.port=0", "--server.host=127.0.0.1", "--authentication.disabled=true", "--store=" + store);
        HoldfastServer replica = HoldfastServer.start(ServerSetup.of(Settings.load(options, Map.of(), directory)));
        replicas.add(replica);
        return replica.port();
    }

    @AfterEach
    void stop() {
        replicas.forEach(HoldfastServer::close);
        front.close();
    }
}
