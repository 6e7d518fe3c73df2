package dev.holdfast.cli.guard;

import dev.holdfast.cli.text.CommandFamily;
import picocli.CommandLine.Command;

@Command(
        name = "guard",
        header = "Stop what apps share only when no app needs it.",
        description = "Apps are registered with the databases they use. A database is stopped when no app needs it any"
                + " more, and started before one does.",
        footer = {"holdfast guard apps", "holdfast guard stop shop --explain", "holdfast guard status"},
        subcommands = {
            GuardAppsCommand.class,
            StopStartCommand.Check.class,
            StopStartCommand.Stop.class,
            StopStartCommand.Start.class,
            GuardStatusCommand.class
        })
public final class GuardCommand extends CommandFamily {}
