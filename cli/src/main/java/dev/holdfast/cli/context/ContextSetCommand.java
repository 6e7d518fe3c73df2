package dev.holdfast.cli.context;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.connect.StoreFile;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.FileProblem;
import dev.holdfast.cli.text.OutputCommand;
import dev.holdfast.client.ServerConfig;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "set",
        header = "Create a context, or change one.",
        description = {
            "What is not named stays as it is; an empty value, such as --namespace '', removes a setting.",
            "With another --server or --store than before, the token and the certificates are forgotten: they were for the"
                    + " other place."
        },
        footer = {
            "holdfast context set prod --server https://locks.example.com --use",
            "holdfast context set prod --token-file ~/prod.token -N team-a",
            "holdfast context set local --store sqlite:/var/lib/locks.db"
        },
        exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE})
final class ContextSetCommand extends OutputCommand {
    @Mixin
    private ContextCommand.NameArgument name;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The server. Several, separated by commas, stand in for each other.")
    private Optional<String> server = Optional.empty();

    @Option(names = "--store", paramLabel = "URL", description = "A store to work on without a server.")
    private Optional<String> store = Optional.empty();

    @Option(names = "--token-file", paramLabel = "FILE", description = "A file with the token for the server.")
    private Optional<String> tokenFile = Optional.empty();

    @Option(names = "--ca-file", paramLabel = "FILE", description = "Certificates (PEM) to trust.")
    private Optional<String> caFile = Optional.empty();

    @Option(names = "--client-cert", paramLabel = "FILE", description = "A certificate (PEM) to show to the server.")
    private Optional<String> clientCert = Optional.empty();

    @Option(names = "--client-key", paramLabel = "FILE", description = "Its private key (PEM, PKCS#8).")
    private Optional<String> clientKey = Optional.empty();

    @Option(
            names = {"-N", "--namespace"},
            paramLabel = "NAME",
            description = "The usual namespace.")
    private Optional<String> namespace = Optional.empty();

    @Option(names = "--use", description = "Use it from now on, as 'context use' does.")
    private boolean use;

    @Override
    protected int run() {
        if (!Context.isName(name.name())) {
            throw mistake("'" + name.name() + "' is not a name for a context: " + Context.NAME_RULE + ".");
        }
        if (server.isPresent() && store.isPresent()) {
            throw mistake("A context is a server or a store. Leave out --server or --store.");
        }
        Context context = Contexts.changing(System.getenv(), this::set);
        if (output.isTable()) {
            output.done("Context '" + context.name() + "' is kept in " + Contexts.place(System.getenv()) + ": "
                    + Stores.masked(context.url()));
        }
        if (use) {
            ContextCommand.Use.said(output, context);
        }
        return ExitCodes.OK;
    }

    private Context set() {
        Contexts contexts = Contexts.readIfAny(System.getenv());
        Optional<Context> before = Optional.ofNullable(contexts.all().get(name.name()));
        Context context = before.orElseGet(() -> Context.of(name.name())).with(changes(before));
        if (context.url().isEmpty()) {
            throw mistake("Which place is '" + name.name() + "'? Give --server URL or --store URL.");
        }
        Contexts after = contexts.with(context);
        (use ? after.using(Optional.of(context.name())) : after).write();
        return context;
    }

    private Map<String, String> changes(Optional<Context> before) {
        Map<String, String> changes = new LinkedHashMap<>();
        Optional<String> place = server.or(() -> store).filter(it -> !it.isEmpty());
        if (place.isPresent() && !place.equals(before.map(Context::url))) {
            Context.KEYS.stream().filter(key -> !key.equals("namespace")).forEach(key -> changes.put(key, ""));
        }
        server.ifPresent(url -> changes.put("server", checked(url)));
        store.ifPresent(url -> changes.put("store", StoreFile.located(url, ContextSetCommand::absolute)));
        file(changes, "token-file", tokenFile);
        file(changes, "ca-file", caFile);
        file(changes, "client-cert", clientCert);
        file(changes, "client-key", clientKey);
        namespace.ifPresent(it -> changes.put("namespace", it));
        return changes;
    }

    private static String checked(String urls) {
        if (!urls.isEmpty()) {
            ServerConfig.of(urls.split(",", -1)); // refuses what is no URL of a server
        }
        return urls;
    }

    /** A file that is not there yet is remarked upon: the token may be on its way. */
    private void file(Map<String, String> changes, String key, Optional<String> file) {
        file.ifPresent(it -> {
            String path = it.isEmpty() ? "" : absolute(it);
            changes.put(key, path);
            if (!path.isEmpty()) {
                FileProblem.of(Path.of(path), "--" + key).ifPresent(problem -> output.say("holdfast: " + problem));
            }
        });
    }

    private static String absolute(String file) {
        return Path.of(file).toAbsolutePath().normalize().toString();
    }
}
