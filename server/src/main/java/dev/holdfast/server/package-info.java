/**
 * The lock server: the same engine as the library, behind HTTP. Start reading at {@code HoldfastServer}, which wires it by hand.
 *
 * <pre>
 *   ServerSetup, GuardSetup, NotifySetup
 *                             settings ─► ServerOptions
 *   HoldfastServer            ServerOptions ─► a server that runs; ClosingSteps closes it in the opposite order
 *   StoreAndEngine               the engine on its store, and what observes it; ServerVitals what metrics show of the server
 *   EventFollowers            who is told of every event
 *   Listener                  ports, TLS, certificates
 *   StateParts                documents and threads for state of stacks
 *   HealthSetup               what is looked at for /health/ready, and what admins are shown
 *   ConfigReload              follows the tokens and the log level in the configuration
 *   DemoServer                one with made-up data
 * </pre>
 *
 * Which package knows which; {@code ArchitectureTest} holds them to it, and nobody knows this one:
 *
 * <pre>
 *   auth                                    nobody
 *   observe                                 nobody
 *   config                                  auth
 *   http                                    auth, observe
 *   survey                                  auth
 *   routes                                  survey, http, auth, observe      locks
 *   state                                   routes, http, auth, observe      state of stacks
 *   guard                                   http, auth, observe              databases that apps share
 *   tokens                                  http, auth, observe              tokens made while it runs
 *   backup                                  http, auth                       all there is, as one file
 *   health                                  http, observe                    whether it is well
 *   overview                                routes, health, survey, http, auth    the first page of the dashboard
 *   about                                   config, http, auth               what it tells about itself
 *   admin                                   health, notify, http, auth, observe   for whoever runs it
 *   notify                                  auth, observe                    webhooks
 *   docs, dashboard                         http                             pages
 *   demo                                    observe                          made-up data
 * </pre>
 */
@NullMarked
package dev.holdfast.server;

import org.jspecify.annotations.NullMarked;
