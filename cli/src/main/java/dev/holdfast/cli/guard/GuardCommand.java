package dev.holdfast.cli.guard;

import picocli.CommandLine.Command;

/** {@code holdfast guard}: databases that apps share. */
@Command(
        name = "guard",
        description = "Stops what apps share only when no app needs it, and starts it before one does.",
        mixinStandardHelpOptions = true,
        subcommands = {
            GuardAppsCommand.class,
            StopStartCommand.Check.class,
            StopStartCommand.Stop.class,
            StopStartCommand.Start.class,
            GuardStatusCommand.class
        },
        synopsisSubcommandLabel = "COMMAND")
public final class GuardCommand {
    private GuardCommand() {}
}
