/**
 * How what is plugged in is found: {@link dev.holdfast.internal.loading.Services} lists what the class path has of stores, connectors,
 * documents, master keys and actuators. Those who ask choose among them; nothing here knows any of them.
 */
@NullMarked
package dev.holdfast.internal.loading;

import org.jspecify.annotations.NullMarked;
