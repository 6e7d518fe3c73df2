package dev.holdfast.cli.state;

import dev.holdfast.cli.state.access.StateTarget;
import dev.holdfast.cli.text.OutputCommand;
import picocli.CommandLine.Mixin;

/** A command about the state of a stack, or of several, that shows what it found. */
abstract class StackCommand extends OutputCommand {
    @Mixin
    protected StackArgument stacks;

    @Mixin
    protected StateTarget target;
}
