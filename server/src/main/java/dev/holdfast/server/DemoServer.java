package dev.holdfast.server;

import dev.holdfast.server.demo.DemoApps;
import dev.holdfast.server.demo.DemoPast;
import java.util.List;

/** A server that shows made-up data, which live in memory and end with it. */
public final class DemoServer {
    private DemoServer() {}

    /**
     * Starts one, and returns when it listens.
     *
     * @param config with everything {@link ServerOptions#inMemory() in memory}
     */
    public static HoldfastServer start(ServerOptions config) {
        HoldfastServer.checkAddress(config);
        DemoApps apps = DemoApps.start();
        try {
            ServerOptions options = config.with(config.guard().with(DemoApps.WEBHOOK, apps.webhook()));
            HoldfastServer server = HoldfastServer.start(options, DemoPast.store(), List.of());
            server.show(apps);
            return server;
        } catch (RuntimeException e) {
            apps.close();
            throw e;
        }
    }
}
