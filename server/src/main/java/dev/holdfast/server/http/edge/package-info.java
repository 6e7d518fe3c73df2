/**
 * The edge on Vert.x: connections, limits, and the way of a request. Start at {@code RequestHandling}, one per request: find the route,
 * know the caller, rate, body within its limit, call, reply.
 *
 * <pre>
 *   HttpEdge        what all requests share; EdgeVerticle listens, one per processor
 *   EdgeConnections, ByteArrivalHandler, Limits      how many, how slow
 *   Hosts, CrossSiteCheck, RemoteAddresses        by which name, from which page, through which proxy
 *   BodyCollector, DocumentBody, DocumentRoom      bodies, small and large
 *   FailureProblems                        what a failure of the store means
 *   RequestReport, FailureLog              what is told of a request to those who run the server
 * </pre>
 */
@NullMarked
package dev.holdfast.server.http.edge;

import org.jspecify.annotations.NullMarked;
