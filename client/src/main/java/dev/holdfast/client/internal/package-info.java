/**
 * HTTP/1.1 over plain sockets, in the types of the JDK's client. {@link dev.holdfast.client.internal.SocketHttpClient} is the way in; a
 * {@code SocketExchange} is one request and a {@code SocketAnswer} what comes back, {@code KeptConnections} wait for the next request, and {@code Deadlines} end what takes too long.
 */
@NullMarked
package dev.holdfast.client.internal;

import org.jspecify.annotations.NullMarked;
