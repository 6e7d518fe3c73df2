/**
 * The lock server: the same engine as the library, behind HTTP. Start reading at {@code HoldfastServer}, which wires it by hand.
 *
 * <pre>
 *   ServerSetup, GuardSetup, NotifySetup
 *                             settings ─► ServerOptions
 *   HoldfastServer            ServerOptions ─► a server that runs; ClosingSteps closes it in the opposite order
 *   Listener                  ports, TLS, certificates
 *   StateParts                documents and threads for state of stacks
 *   HealthSetup               what is looked at for /health/ready, and what admins are shown
 *   ConfigReload              follows the tokens and the log level in the configuration
 * </pre>
 *
 * Below it: {@code config} knows {@code auth}; {@code http} knows {@code auth} and {@code observe}; {@code routes}, {@code state},
 * {@code guard}, {@code tokens}, {@code health} and {@code admin} know those three and the engine; {@code notify} knows
 * the engine and metrics. {@code ArchitectureTest} holds them to it.
 */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
