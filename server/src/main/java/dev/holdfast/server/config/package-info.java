/**
 * Reads the settings of a server from flags, environment, file and defaults. Start at {@link dev.holdfast.server.config.Settings#load}: it
 * answers with all values, or with all problems at once.
 *
 * <pre>
 *   Flags        --server.port=9000    ─┐
 *   Environment  SERVER_PORT=9000      ─┼─► Layer ─► SettingsResolver (one value per setting) ─► StoreChoice ─► CrossChecks ─► Settings
 *   ConfigFile   server: {port: 9000}  ─┘   what each    parsed by its Kind                       computed defaults      what must fit together
 *                                           source gives
 * </pre>
 *
 * Which settings there are: {@code config.settings}. How a value is read and shown: {@code config.values}. By hand, since no library tells
 * all problems at once, each with its origin and without its secrets.
 */
@NullMarked
package dev.holdfast.server.config;

import org.jspecify.annotations.NullMarked;
