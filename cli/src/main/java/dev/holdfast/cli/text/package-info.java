/**
 * What goes in and out of every command: nothing here knows a lock. Start with {@link dev.holdfast.cli.text.OutputCommand}, which most
 * commands extend; the others are a {@link dev.holdfast.cli.text.PlainCommand}, or a {@code CommandFamily}, which has others below it.
 *
 * <ul>
 *   <li>Out: {@link dev.holdfast.cli.text.Output} (table, JSON, YAML or names), {@link dev.holdfast.cli.text.Table}, colours, ages,
 *       and {@link dev.holdfast.cli.text.Screen}, through which everything goes that others wrote.
 *   <li>In: {@link dev.holdfast.cli.text.TimeConverters}, {@link dev.holdfast.cli.text.LimitOption},
 *       {@link dev.holdfast.cli.text.Prompt} for questions, {@link dev.holdfast.cli.text.NearWords} for what was probably meant.
 *   <li>How it ends: {@link dev.holdfast.cli.text.ExitCodes}, with what help says of them, and
 *       {@link dev.holdfast.cli.text.FailureReport}, which makes a line and an exit code of every failure, in the words of the
 *       command line ({@link dev.holdfast.cli.text.FailureMessage}, {@link dev.holdfast.cli.text.FileProblem}).
 * </ul>
 */
@NullMarked
package dev.holdfast.cli.text;

import org.jspecify.annotations.NullMarked;
