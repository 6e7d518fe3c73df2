package dev.holdfast.cli.serve;

import picocli.CommandLine.Command;

/** {@code holdfast token}: API tokens of a server. */
@Command(
        name = "token",
        description = "Makes, lists and revokes API tokens of a server.",
        mixinStandardHelpOptions = true,
        subcommands = {TokenCreateCommand.class, TokenLsCommand.class, TokenRevokeCommand.class},
        synopsisSubcommandLabel = "COMMAND")
public final class TokenCommand {
    private TokenCommand() {}
}
