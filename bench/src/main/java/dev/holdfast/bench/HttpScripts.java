package dev.holdfast.bench;

import dev.holdfast.Stores;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.http.Call;
import dev.holdfast.server.http.Reply;
import dev.holdfast.server.http.Route;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** What the connections of an {@link HttpLoad} ask for: nothing, or a lock each, in turns. */
public final class HttpScripts {
    private static final String EMPTY = "/bench/empty";

    private HttpScripts() {}

    /** A server of ours on this store, at any port, with an endpoint that does nothing but what all calls do before. */
    public static HoldfastServer server(String store) {
        return HoldfastServer.start(
                ServerSetup.of(Settings.load(
                        List.of("--port=0", "--store=" + store),
                        Map.of(),
                        Path.of(System.getProperty("java.io.tmpdir")))),
                Stores.open(store),
                List.of(Route.post(EMPTY, HttpScripts::nothing)));
    }

    private static CompletableFuture<Reply> nothing(Call call) {
        call.requireAnywhere(Role.LOCK);
        call.fields();
        return CompletableFuture.completedFuture(Reply.ok(json -> {}));
    }

    /** Requests to the endpoint of {@link #server} that does nothing. */
    public static List<HttpLoad.Script> empties(int connections) {
        byte[] request = HttpLoad.post(EMPTY, "{}");
        return Collections.nCopies(connections, new HttpLoad.Script() {
            @Override
            public byte[] next() {
                return request;
            }

            @Override
            public void answered(int status) {
                check(status);
            }
        });
    }

    /** Each acquires and releases a lock of its own, in turns; the names of the locks begin so. */
    public static List<HttpLoad.Script> cycles(int connections, String prefix) {
        return IntStream.range(0, connections)
                .<HttpLoad.Script>mapToObj(i -> new Cycle(prefix + "-" + i))
                .toList();
    }

    private static final class Cycle implements HttpLoad.Script {
        private static long ids = System.nanoTime();

        private final String lock;
        private String leaseId = "";
        private boolean held;

        Cycle(String lock) {
            this.lock = "\"namespace\":\"bench\",\"name\":\"" + lock + "\",\"lease_id\":\"";
        }

        @Override
        public byte[] next() {
            if (held) {
                return HttpLoad.post("/v2/locks/release", "{\"leases\":[{" + lock + leaseId + "\"}]}");
            }
            leaseId = "bench-" + Long.toHexString(ids++);
            return HttpLoad.post("/v2/locks/acquire", "{" + lock + leaseId + "\",\"lease_ms\":30000}");
        }

        @Override
        public void answered(int status) {
            check(status);
            held = !held;
        }
    }

    /** Nothing but success counts. */
    public static void check(int status) {
        if (status != 200) {
            throw new IllegalStateException("The server answered " + status);
        }
    }
}
