package dev.holdfast.cli.serve;

import dev.holdfast.Stores;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.StoreSettings;
import dev.holdfast.server.demo.DemoTraffic;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** {@code holdfast serve}: the server, until it is told to stop. */
@Command(
        name = "serve",
        description = {
            "Starts the lock server: REST API, events, metrics.",
            "Without flags: locks in ./holdfast-data, on http://127.0.0.1:8080, for this machine only.",
            "",
            "  --port PORT      where to listen (8080)",
            "  --host HOST      address to listen on (127.0.0.1)",
            "  --data DIR       directory of the embedded store (./holdfast-data)",
            "  --store URL      another store, such as postgresql://db/app or memory:",
            "  --config FILE    settings (./holdfast.yaml, if there is one)",
            "  --demo           with believable traffic, to look around",
            "  --KEY=VALUE      any other setting; 'holdfast config keys' lists them"
        },
        customSynopsis = "holdfast serve [--port PORT] [--host HOST] [--store URL] [--config FILE] [--KEY=VALUE]...",
        mixinStandardHelpOptions = true)
public final class ServeCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.Server");

    /** The flags of the server: any key is one, so they are not declared here. */
    @Unmatched
    private List<String> flags = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Settings settings;
        try {
            settings = Settings.load(flags, System.getenv(), Path.of(""));
        } catch (ConfigProblems e) {
            err.println(e.getMessage());
            return ExitCodes.USAGE;
        }
        try {
            Logging.Output log = Logging.configure(ServerSetup.logging(settings));
            settings.notes().forEach(LOG::warn);
            ServerOptions config = labelled(ServerSetup.of(settings), settings);
            if (settings.get(ServerSettings.DEMO)) {
                DemoTraffic.refusal(config.store()).ifPresent(reason -> {
                    throw new IllegalArgumentException(reason);
                });
            }
            HoldfastServer server = HoldfastServer.start(config);
            server.followTokens(settings, () -> Settings.load(flags, System.getenv(), Path.of("")));
            run(server, settings, config, log);
            return ExitCodes.OK;
        } catch (IllegalArgumentException e) {
            err.println("holdfast: " + e.getMessage());
            return ExitCodes.USAGE;
        } catch (IOException | UncheckedIOException e) {
            err.println("holdfast: a file of the server cannot be used: " + e.getMessage());
            return ExitCodes.USAGE;
        } catch (StoreException e) {
            err.println("holdfast: " + e.getMessage());
            return ExitCodes.UNREACHABLE;
        }
    }

    private static void run(HoldfastServer server, Settings settings, ServerOptions config, Logging.Output log)
            throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Optional<DemoTraffic> demo =
                settings.get(ServerSettings.DEMO) ? Optional.of(server.startDemo()) : Optional.empty();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                LOG.info("Stopping: no new requests, waiters are told to come back");
                                demo.ifPresent(DemoTraffic::close);
                                server.close();
                                LOG.info("Stopped");
                                log.close();
                            } finally {
                                stopped.countDown();
                                Runtime.getRuntime().halt(ExitCodes.OK); // being told to stop is not a failure
                            }
                        },
                        "holdfast-stop"));
        LOG.info("Holdfast listens on {}", url(config, server.port()));
        LOG.info("Locks are kept in {}", Stores.masked(settings.get(StoreSettings.STORE)));
        if (!settings.authConfigured()) {
            LOG.info("No authentication is set, so only this machine is served. Set auth.tokens or jwt.issuer,"
                    + " or say authentication.disabled=true, to listen elsewhere");
        } else if (config.auth().disabled()) {
            LOG.warn("Authentication is disabled: whoever can reach {} may do everything", url(config, server.port()));
        }
        server.sayWhatIsNotDone();
        if (demo.isPresent()) {
            LOG.info("Demo traffic is on, in the namespaces deploy and demo-*");
        }
        stopped.await();
    }

    private static String url(ServerOptions config, int port) {
        String scheme = config.listen().tls().isPresent() ? "https" : "http";
        String host = config.listen().host();
        return scheme + "://" + (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }

    /** Makes the place of an embedded store, and lets whoever finds it in use know by whom. */
    private static ServerOptions labelled(ServerOptions config, Settings settings) throws IOException {
        if (!config.store().startsWith("sqlite:") || !config.store().endsWith("mode=exclusive")) {
            return config;
        }
        if (settings.origin(StoreSettings.STORE).level() == Origin.Level.DEFAULT) {
            PrivateFiles.createDirectories(settings.get(ServerSettings.DATA));
            PrivateFiles.tighten(settings.get(ServerSettings.DATA));
        }
        String label = "holdfast serve at " + url(config, config.listen().port());
        return config.on(
                config.listen().port(), config.store() + "&label=" + URLEncoder.encode(label, StandardCharsets.UTF_8));
    }
}
