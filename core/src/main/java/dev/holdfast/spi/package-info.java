/**
 * What a store owes: read a record, write it if it has not changed, list records, tell its time. Nothing of locking.
 *
 * <p>Abilities only some stores have are interfaces of their own: {@link dev.holdfast.spi.Watchable},
 * {@link dev.holdfast.spi.EventLog}.
 */
@NullMarked
package dev.holdfast.spi;

import org.jspecify.annotations.NullMarked;
