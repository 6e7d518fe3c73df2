/**
 * The server, and all that needs its classes: the only package that knows module server.
 *
 * <pre>
 *   ServeCommand                     starts it; StartNotice says where it listens, CommandLog how its commands log
 *   ConfigCommand, SettingsFormat    shows its settings
 *   HealthCommand                    asks whether one is well
 *   TokenCommand, TokenCreateCommand makes, lists and revokes tokens, by ServerTokens at a server or for its file
 *   NotifyCommand                    tries webhooks
 *   StoreGuard                       a guard at a store with the settings of a server; RehearsalServer one for rehearsals
 * </pre>
 *
 * Called by {@code Main}; {@code guard} takes {@code StoreGuard}. Knows {@code exec}, {@code connect} and {@code text}, and no other
 * command.
 */
@NullMarked
package dev.holdfast.cli.serve;

import org.jspecify.annotations.NullMarked;
