package dev.holdfast.cli.guard;

import picocli.CommandLine.Command;

/** {@code holdfast guard}: databases that apps share. */
@Command(
        name = "guard",
        description = "Stops what apps share only when no app needs it, and starts it before one does.",
        mixinStandardHelpOptions = true,
        subcommands = {
            GuardAppsCommand.class,
            GuardCheckCommand.class,
            GuardStopCommand.class,
            GuardStartCommand.class,
            GuardStatusCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class GuardCommand {
    private GuardCommand() {}
}
