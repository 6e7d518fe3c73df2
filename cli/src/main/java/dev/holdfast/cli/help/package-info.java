/**
 * What the program says about itself. {@link dev.holdfast.cli.help.CommandPage} is what there is to say about one command, read from
 * its declaration; three things are made from it, so that they cannot differ: the help on a terminal
 * ({@link dev.holdfast.cli.help.HelpText}), the manual pages ({@link dev.holdfast.cli.help.ManualPage}) and docs/CLI.md
 * ({@code Reference}, in the package of the program). {@link dev.holdfast.cli.help.ProgramFacts} has what is true of all commands,
 * and {@link dev.holdfast.cli.help.MistakeText} says what is wrong with a command line.
 *
 * <p>A command is declared with {@code header}: its one-line summary; {@code description}: one element for each paragraph, without
 * line breaks of its own, an empty one for an empty line, and with two blanks in front for what must stay as it is; {@code footer}:
 * examples, one a line, as they are typed. Commands do not know this package.
 */
@NullMarked
package dev.holdfast.cli.help;

import org.jspecify.annotations.NullMarked;
