/**
 * All settings there are, each declared once as a constant: {@code ServerSettings}, {@code LimitSettings}, {@code StoreSettings}, {@code
 * LockSettings}, {@code AuthSettings}, {@code ObserveSettings}, {@code StateSettings}, {@code GuardSettings}, and {@code SeedSettings} for the
 * names that other services use. {@code SettingsCatalog} finds them by any spelling of their names, {@code Suggestion} by a wrong one.
 *
 * <p>Knows {@code config.values}, and nothing of where values come from.
 */
@NullMarked
package dev.holdfast.server.config.settings;

import org.jspecify.annotations.NullMarked;
