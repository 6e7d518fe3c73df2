/**
 * Whether this server can do its work: {@code GET /health/live} and {@code /health/ready}.
 *
 * <p>{@code HealthChecks} puts together what is known of each part: {@code StoreCheck} asks the store, {@code DiskCheck} and
 * {@code CertificateCheck} look at what the operating system and the files say, {@code PartProbe} tries what not everybody needs.
 * It looks once a second, and {@code Outages} writes into the log when a part stops and when it works again. Nothing
 * here decides about locks, and nothing blocks an event loop. Gets from whoever wires the server what to look at.
 */
@NullMarked
package dev.holdfast.server.health;

import org.jspecify.annotations.NullMarked;
