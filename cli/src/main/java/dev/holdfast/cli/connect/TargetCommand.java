package dev.holdfast.cli.connect;

import dev.holdfast.cli.text.OutputCommand;
import picocli.CommandLine.Mixin;

/** A command about a server or store, that shows what it found there. */
public abstract class TargetCommand extends OutputCommand {
    @Mixin
    protected Target target;
}
