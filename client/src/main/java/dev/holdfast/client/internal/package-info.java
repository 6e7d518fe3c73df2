/**
 * HTTP/1.1 over plain sockets, in the types of the JDK's client, for {@code ServerHttp}. Knows no request of ours.
 *
 * <pre>
 *   SocketHttpClient       the way in
 *     SocketExchange         one request: whether it may have arrived, and what a failure means
 *       SocketConnect          a new connection; KeptConnections has those that wait for the next request
 *       RequestBytes           what is sent
 *       SocketAnswer           what comes back; BodyDemand, how much of it is wanted
 *     Deadlines              ends what takes too long
 * </pre>
 */
@NullMarked
package dev.holdfast.client.internal;

import org.jspecify.annotations.NullMarked;
