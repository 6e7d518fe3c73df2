package dev.holdfast.cli.context;

import picocli.CommandLine.Command;

@Command(
        name = "context",
        header = "Name servers and stores, and choose one: ls, use, show, set, rm.",
        description = {
            "A context is a server or a store with a name, the files that are shown to it, and the usual namespace there.",
            "",
            "Which setting counts: a flag, else the environment, else the context, else the default.",
            "Which context counts: --context, else HOLDFAST_CONTEXT, else the one that 'context use' chose.",
            "",
            "A place and what is shown to it belong together, so that a token is not sent to another server:",
            "- If --server, --store, HOLDFAST_SERVER or HOLDFAST_STORE names the place, the context is left out as a whole,"
                    + " with its token, its certificates and its namespace.",
            "- If --server or --store names another place than the environment (HOLDFAST_SERVER, HOLDFAST_STORE, else"
                    + " HOLDFAST_CONTEXT), the token and the certificates of the environment are left out. They count if the"
                    + " environment names the same URL, or no place at all.",
            "- The same goes for --context, and then the namespace of the environment is left out too.",
            "- A context with a token or a client certificate of its own is not given those of the environment.",
            "- --context together with --server or --store is refused.",
            "",
            "'holdfast context show' tells what would be used here, and where each setting came from.",
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
                    + " others may write, or that belongs to another user than you or root."
        },
        footer = {
            "holdfast context set prod --server https://locks.example.com --use",
            "holdfast context use local",
            "holdfast --context prod ls"
        },
        mixinStandardHelpOptions = true,
        subcommands = {
            ContextLsCommand.class,
            ContextUseCommand.class,
            ContextShowCommand.class,
            ContextSetCommand.class,
            ContextRmCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class ContextCommand {
    private ContextCommand() {}
}
