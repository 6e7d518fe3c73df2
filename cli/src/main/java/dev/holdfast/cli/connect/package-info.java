/**
 * Where the locks of a command are. {@link dev.holdfast.cli.connect.Target} holds the options every command has ({@code --server},
 * {@code --store}, {@code --namespace}, …) and opens what they name; {@link dev.holdfast.cli.connect.ServerCalls} are requests that
 * the lock client has no call for. Which of flag, environment and context counts is decided in
 * {@link dev.holdfast.cli.connect.Connection}, and {@link dev.holdfast.cli.connect.Contexts} is the file with the contexts.
 * {@link dev.holdfast.cli.connect.TargetCommand} is what most commands extend.
 */
@NullMarked
package dev.holdfast.cli.connect;

import org.jspecify.annotations.NullMarked;
