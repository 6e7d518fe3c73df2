package dev.holdfast.cli.text;

import picocli.CommandLine.Command;

/** A command that does nothing itself, and has others below it. */
@Command(mixinStandardHelpOptions = true)
public abstract class CommandFamily {}
