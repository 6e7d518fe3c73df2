package dev.holdfast.cli.serve;

import dev.holdfast.cli.exec.Signals;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.PlainCommand;
import dev.holdfast.cli.text.Terminal;
import dev.holdfast.server.DemoServer;
import dev.holdfast.server.HoldfastServer;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerSetup;
import dev.holdfast.server.config.ConfigProblems;
import dev.holdfast.server.config.Origin;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.config.settings.ObserveSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import dev.holdfast.server.config.settings.Setting;
import dev.holdfast.server.config.settings.StoreSettings;
import dev.holdfast.server.observe.logs.Logging;
import dev.holdfast.spi.PrivateFiles;
import dev.holdfast.spi.StoreException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

@Command(
        name = "serve",
        header = "Start the lock server: REST API, events, metrics.",
        description = {
            "Without flags: locks in ./holdfast-data, on http://127.0.0.1:8080, for this machine only.",
            "",
            "  --port PORT      where to listen (8080)",
            "  --host HOST      address to listen on (127.0.0.1)",
            "  --data DIR       directory of the embedded store (./holdfast-data)",
            "  --store URL      another store, such as postgresql://db/app or memory:",
            "  --config FILE    settings (./holdfast.yaml, if there is one)",
            "  --demo           made-up locks, state and apps in memory, to look around",
            "  --KEY=VALUE      any other setting; 'holdfast config keys' lists them",
            "",
            "SIGTERM stops it. SIGHUP, unless it runs in a terminal, makes it read tokens, the log level and certificates"
                    + " again."
        },
        customSynopsis = "holdfast serve [--port PORT] [--host HOST] [--store URL] [--config FILE] [--KEY=VALUE]...",
        footer = {
            "holdfast serve",
            "holdfast serve --demo",
            "holdfast serve --port 9090 --store postgresql://app@db/locks"
        },
        exitCodeList = {
            "0:It was stopped by a signal.",
            "1:It could not start; the reason is on standard error.",
            "2:The command line or a setting is wrong.",
            "69:The store cannot be reached."
        })
public final class ServeCommand extends PlainCommand {
    private static final Logger LOG = LoggerFactory.getLogger("dev.holdfast.Server");

    /** The flags of the server: any key is one, so they are not declared here. */
    @Unmatched
    private List<String> flags = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        Settings settings;
        try {
            settings = Settings.load(flags, System.getenv(), Path.of(""));
        } catch (ConfigProblems e) {
            err().println(e.getMessage());
            return ExitCodes.USAGE;
        }
        try {
            ServerOptions config = ServerSetup.of(settings);
            HoldfastServer.checkAddress(config); // before anything is opened, written or logged
            Logging.Output log = Logging.configure(ServerSetup.logging(settings));
            settings.notes().forEach(LOG::warn);
            if (settings.get(ServerSettings.DEMO)) {
                Logging.onlyWarnings("dev.holdfast.guard"); // its steps are about apps that nobody here runs
            }
            HoldfastServer server = settings.get(ServerSettings.DEMO)
                    ? DemoServer.start(demo(config, settings))
                    : HoldfastServer.start(labelled(config, settings));
            server.followSettings(settings, () -> Settings.load(flags, System.getenv(), Path.of("")));
            run(server, settings, log);
            return ExitCodes.OK;
        } catch (IllegalArgumentException e) {
            err().println("holdfast: " + e.getMessage());
            return ExitCodes.USAGE;
        } catch (IOException | UncheckedIOException e) {
            err().println("holdfast: a file of the server cannot be used: " + e.getMessage());
            return ExitCodes.USAGE;
        } catch (StoreException e) {
            err().println("holdfast: " + e.getMessage());
            return ExitCodes.UNREACHABLE;
        }
    }

    private void run(HoldfastServer server, Settings settings, Logging.Output log) throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            try {
                                LOG.info("Stopping: no new requests, waiters are told to come back");
                                server.close();
                                LOG.info("Stopped");
                                log.close();
                            } finally {
                                stopped.countDown();
                                Runtime.getRuntime().halt(ExitCodes.OK); // being told to stop is not a failure
                            }
                        },
                        "holdfast-stop"));
        if (!Terminal.is(Terminal.STDERR)) { // there a closed window ends it, as people expect
            Signals.HUP.caught(server::reload);
        }
        tell(server, settings);
        stopped.await();
    }

    private void tell(HoldfastServer server, Settings settings) {
        ServerOptions config = server.options();
        String url = url(config, server.port());
        StartNotice notice = new StartNotice(
                config,
                url,
                access(config, settings),
                server.stateHealth(),
                settings.get(ServerSettings.DEMO),
                server.guardRecordsOnly());
        if (isReadByAPerson(settings)) {
            notice.block().forEach(err()::println);
            err().println();
            err().flush();
        } else {
            notice.facts().forEach(LOG::info);
            if (config.auth().disabled()) {
                LOG.warn("Authentication is disabled: whoever can reach {} may do everything", url);
            }
            if (!settings.get(ServerSettings.DEMO)) {
                server.sayWhatIsNotDone();
            }
        }
    }

    private static StartNotice.Access access(ServerOptions config, Settings settings) {
        if (!settings.authConfigured()) {
            return StartNotice.Access.THIS_MACHINE;
        }
        return config.auth().disabled() ? StartNotice.Access.EVERYBODY : StartNotice.Access.KNOWN_CALLERS;
    }

    /** Whether somebody looks; a file or a machine gets lines of the log. */
    private static boolean isReadByAPerson(Settings settings) {
        return Terminal.is(Terminal.STDERR)
                && settings.get(ObserveSettings.LOGGING_FORMAT).equals("console")
                && settings.get(ObserveSettings.LOGGING_FILE).isEmpty();
    }

    /** A demo has a store of its own, whatever is configured: nobody's locks must meet made-up ones. */
    private static ServerOptions demo(ServerOptions config, Settings settings) {
        for (Setting<?> place : List.of(ServerSettings.DATA, StoreSettings.STORE)) {
            if (settings.origin(place).level() == Origin.Level.FLAG
                    && !settings.get(place).equals("memory:")) {
                throw new IllegalArgumentException(
                        "--demo keeps its made-up data in memory and uses no other store. Leave out --demo, or --"
                                + (place.equals(StoreSettings.STORE) ? "store" : "data"));
            }
        }
        return config.inMemory();
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
