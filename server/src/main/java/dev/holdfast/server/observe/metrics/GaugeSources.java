package dev.holdfast.server.observe.metrics;

import java.util.concurrent.CompletionStage;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Where the values come from that are looked at instead of counted. All but {@code counts} are asked at every scrape, on the
 * thread of the metrics, and must answer at once.
 *
 * @param counts counts the locks in use at the store, off the caller's thread; see {@link BusyLocks}
 * @param eventsLost events the store could not keep since the start
 * @param clockError how far the store's clock may be from what is believed, in seconds; NaN when unknown
 * @param auditLost audit lines that could not be written since the start
 * @param diskFree bytes left on the disk of the embedded store; NaN with another store
 * @param certificateEnds when the server's certificate ends, in seconds since 1970; NaN without TLS
 */
public record GaugeSources(
        Supplier<CompletionStage<Counts>> counts,
        LongSupplier eventsLost,
        DoubleSupplier clockError,
        LongSupplier eventClients,
        LongSupplier connections,
        LongSupplier auditLost,
        DoubleSupplier diskFree,
        DoubleSupplier certificateEnds) {}
