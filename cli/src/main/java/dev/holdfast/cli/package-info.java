/**
 * The program {@code holdfast}. {@link dev.holdfast.cli.Main} lists its commands and is where to start reading; here are those that
 * are about the program itself (help, version, completion, reference, manual) and the rehearsal that the launcher archives classes with.
 *
 * <p>One package for each thing people do, each with a class per command. None of them knows this one:
 *
 * <pre>
 *   backup ──► admin                                     keeping and moving all there is
 *   admin   guard   state ──► locks ──► watch, exec   context   what people do; each knows connect and text
 *             │       │         │        │        │
 *             ▼       ▼         ▼        ▼        ▼
 *           serve ──────────► connect                      the server itself; where the locks of a command are
 *                               │
 *                               ▼
 *                   help ───► text                         what is said about commands; what goes in and out
 * </pre>
 *
 * <p>Only {@code serve} knows classes of the server. A type is public when another package of this module needs it; the module is a
 * program and has no interface for others, except what module bench starts the developers' commands with.
 */
@NullMarked
package dev.holdfast.cli;

import org.jspecify.annotations.NullMarked;
