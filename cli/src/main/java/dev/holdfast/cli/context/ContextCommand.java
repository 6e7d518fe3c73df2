package dev.holdfast.cli.context;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Context;
import dev.holdfast.cli.connect.Contexts;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.cli.text.CommandFamily;
import dev.holdfast.cli.text.ExitCodes;
import dev.holdfast.cli.text.ExitCodes.Codes;
import dev.holdfast.cli.text.Output;
import dev.holdfast.cli.text.OutputCommand;
import dev.holdfast.cli.text.Table;
import dev.holdfast.wire.json.Json;
import dev.holdfast.wire.json.ObjectBuilder;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "context",
        header = "Name servers and stores, and choose one: ls, use, show, set, rm.",
        description = {
            "A context is a named server or store, with its credentials and usual namespace.",
            "",
            "Which setting takes precedence: a flag, then the environment, then the context, then the default.",
            "Which context is used: --context, else HOLDFAST_CONTEXT, else the one chosen with 'context use'.",
            "",
            "A server or store and its credentials belong together, so that a token is never sent to another server:",
            "- If --server, --store, HOLDFAST_SERVER or HOLDFAST_STORE names the place, the context is left out as a whole,"
                    + " with its token, its certificates and its namespace.",
            "- If --server or --store names a different place than the environment (HOLDFAST_SERVER, HOLDFAST_STORE, else"
                    + " HOLDFAST_CONTEXT), the token and the certificates of the environment are left out. They count if the"
                    + " environment names the same URL, or no place at all.",
            "- The same goes for --context, and then the namespace of the environment is left out too.",
            "- A context with a token or a client certificate of its own is not given those of the environment.",
            "- --context together with --server or --store is refused.",
            "",
            "'holdfast context show' shows what would be used here, and where each setting came from.",
            "",
            "Contexts are kept in ~/.config/holdfast/config.yaml (in XDG_CONFIG_HOME if that is set); HOLDFAST_CONTEXT_FILE names"
                    + " another file:",
            "",
            "  current-context: prod",
            "  contexts:",
            "    prod:",
            "      server: https://locks.example.com    # several: separated by commas",
            "      token-file: prod.token               # beside this file",
            "      ca-file: ~/ca.pem                    # also client-cert, client-key",
            "      namespace: team-a",
            "    local:",
            "      store: sqlite:/var/lib/locks.db      # a server or a store",
            "",
            "It has no secrets in it: a token is always in a file of its own, and 'token:' is refused. So is a file that"
                    + " others may write, or that belongs to anybody but you or root."
        },
        footer = {
            "holdfast context set prod --server https://locks.example.com --use",
            "holdfast context use local",
            "holdfast --context prod ls"
        },
        subcommands = {
            ContextCommand.Ls.class,
            ContextCommand.Use.class,
            ContextShowCommand.class,
            ContextSetCommand.class,
            ContextCommand.Rm.class
        })
public final class ContextCommand extends CommandFamily {
    @Command(
            name = "ls",
            header = "List the contexts; * is the one in use.",
            description = "With -o name: only the names, one a line.",
            footer = {"holdfast context ls", "holdfast context ls -o name"},
            exitCodeList = {Codes.OK, Codes.USAGE})
    static final class Ls extends OutputCommand {
        @Override
        protected int run() {
            Contexts contexts = Contexts.read(System.getenv());
            Table<Context> table = new Table<Context>()
                    .column("", context -> isCurrent(contexts, context) ? "*" : "")
                    .flexible("NAME", Context::name)
                    .flexible("SERVER OR STORE", context -> Stores.masked(context.url()))
                    .flexible("NAMESPACE", context -> context.namespace().orElse(""));
            output.showAll(
                    contexts.all().values(),
                    (json, context) ->
                            json(context, isCurrent(contexts, context)).writeTo(json),
                    Context::name,
                    "There are no contexts in " + contexts.file()
                            + ". Make one: holdfast context set NAME --server URL",
                    () -> output.print(table, contexts.all().values()));
            return ExitCodes.OK;
        }

        private static boolean isCurrent(Contexts contexts, Context context) {
            return contexts.current().filter(context.name()::equals).isPresent();
        }

        private static Json json(Context context, boolean current) {
            ObjectBuilder fields = Json.build().with("name", context.name()).with("current", current);
            context.settings().forEach((key, value) -> fields.with(key.replace('-', '_'), Stores.masked(value)));
            return fields.build();
        }
    }

    @Command(
            name = "use",
            header = "Choose the context that commands use from now on.",
            footer = "holdfast context use prod",
            exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE})
    static final class Use extends OutputCommand {
        @Mixin
        private NameArgument name;

        @Override
        protected int run() {
            name.in(Contexts.read(System.getenv())); // or nothing is made, not even a lock
            said(output, Contexts.changing(System.getenv(), this::use));
            return ExitCodes.OK;
        }

        private Context use() {
            Contexts contexts = Contexts.read(System.getenv());
            Context context = name.in(contexts);
            contexts.using(Optional.of(context.name())).write();
            return context;
        }

        /** That it is in use; and if something else still counts more, that too. */
        static void said(Output output, Context context) {
            if (output.isTable()) {
                output.done("Commands use the context '" + context.name() + "' now: " + Stores.masked(context.url()));
            }
            Stream.of("HOLDFAST_SERVER", "HOLDFAST_STORE", "HOLDFAST_CONTEXT")
                    .filter(variable -> Target.set(variable).isPresent())
                    .findFirst()
                    .ifPresent(variable -> output.say("holdfast: " + variable
                            + " is set here and takes precedence over the context. To use the context: unset "
                            + variable));
        }
    }

    @Command(
            name = "rm",
            header = "Remove a context.",
            description = "The files it names, such as that of the token, are left where they are.",
            footer = "holdfast context rm prod",
            exitCodeList = {Codes.OK, Codes.FAILURE, Codes.USAGE})
    static final class Rm extends OutputCommand {
        @Mixin
        private NameArgument name;

        @Override
        protected int run() {
            name.in(Contexts.read(System.getenv())); // or nothing is made, not even a lock
            boolean used = Contexts.changing(System.getenv(), this::remove);
            if (output.isTable()) {
                output.done("Context '" + name.name() + "' is removed"
                        + (used ? ". None is in use now; choose one: holdfast context use NAME" : ""));
            }
            return ExitCodes.OK;
        }

        /** Whether it was in use. */
        private boolean remove() {
            Contexts contexts = Contexts.read(System.getenv());
            name.in(contexts);
            contexts.without(name.name()).write();
            return contexts.current().filter(name.name()::equals).isPresent();
        }
    }

    static final class NameArgument {
        @Parameters(index = "0", paramLabel = "CONTEXT", description = "Name of the context.")
        private String name = "";

        String name() {
            return name;
        }

        /** The one of this name, which must be there. */
        Context in(Contexts contexts) {
            return contexts.get(name, Optional.empty());
        }
    }
}
