package dev.holdfast.cli;

import picocli.CommandLine.Command;

/** {@code holdfast token}: API tokens of a server. */
@Command(
        name = "token",
        description = "Makes API tokens for a server.",
        mixinStandardHelpOptions = true,
        subcommands = TokenCreateCommand.class,
        synopsisSubcommandLabel = "COMMAND")
final class TokenCommand {
    private TokenCommand() {}
}
