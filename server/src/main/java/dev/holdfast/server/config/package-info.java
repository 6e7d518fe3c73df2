/**
 * Settings: declared once, read from flags, environment, file and defaults.
 *
 * <p>A {@link dev.holdfast.server.config.settings.Setting} is a constant in one of the {@code …Settings} classes. {@link
 * dev.holdfast.server.config.Settings#load} reads the sources and answers with all values, or with all problems at once:
 *
 * <pre>
 *   Flags        --server.port=9000    ─┐
 *   Environment  SERVER_PORT=9000      ─┼─► Layers ─► SettingsResolver (one value per setting) ─► StoreChoice, NodeName ─► CrossChecks ─► Settings
 *   ConfigFile   server: {port: 9000}  ─┘   what each     parsed by its Kind            computed defaults      what must fit together
 *                                           source gives
 * </pre>
 */
@NullMarked
package dev.holdfast.server.config;

import dev.holdfast.server.config.values.Kind;
import org.jspecify.annotations.NullMarked;
