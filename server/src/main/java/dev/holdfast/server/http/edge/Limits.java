package dev.holdfast.server.http.edge;

import java.time.Duration;

/**
 * What one client, and all of them together, may use of the server.
 *
 * @param body bytes of an ordinary body
 * @param batchBody bytes of a body with many leases
 * @param document bytes of a document
 * @param url bytes of the request line
 * @param headers bytes of all headers of a request
 * @param waitersPerPrincipal requests of one principal that may wait at a time
 * @param locksPerPrincipal different locks one principal may use while the store keeps their records
 * @param idle how long a connection may stay open without a request
 * @param slow how long a request may take to arrive
 */
public record Limits(
        int body,
        int batchBody,
        int document,
        int url,
        int headers,
        int jsonDepth,
        int connections,
        int connectionsPerAddress,
        int waitersPerPrincipal,
        int locksPerPrincipal,
        Duration idle,
        Duration slow) {}
