package dev.holdfast.client.internal;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * A new connection to the server of an address, within its time. Nothing is sent over it but the handshake of TLS.
 *
 * @param deadline on the monotonic clock
 */
record SocketConnect(SocketHttpClient client, URI uri, long deadline) {
    static final String TIMED_OUT = "HTTP connect timed out";

    /** Whoever may have to close a socket that is not connected yet. */
    interface SocketOwner {
        /** The same socket, or a failure if it is not wanted any more. */
        Socket keep(Socket socket) throws IOException;
    }

    /** A host may have several addresses, of which only some are answered at: each has its share of the time that is left. */
    Socket plain(SocketOwner opened) throws IOException {
        IOException last = unresolved();
        InetAddress[] addresses = addresses();
        for (int i = 0; i < addresses.length; i++) {
            Socket connection = opened.keep(unconnected());
            try {
                connection.setTcpNoDelay(true);
                int left = millisUntil(deadline);
                connection.connect(
                        new InetSocketAddress(addresses[i], port(uri)), Math.max(1, left / (addresses.length - i)));
                return connection;
            } catch (SocketTimeoutException e) {
                last = new HttpConnectTimeoutException(TIMED_OUT);
            } catch (IOException e) {
                last = refused(e);
            }
            closeQuietly(connection);
        }
        throw last;
    }

    /** Of one with a channel it can be told whether its server has closed it; the other kind is loaded sooner. */
    private Socket unconnected() throws IOException {
        return client.kept().isPresent() ? SocketChannel.open().socket() : new Socket(Proxy.NO_PROXY);
    }

    private InetAddress[] addresses() throws IOException {
        try {
            return client.addresses(uri.getHost());
        } catch (UnknownHostException e) {
            throw unresolved();
        }
    }

    private static ConnectException unresolved() {
        ConnectException failure = new ConnectException();
        failure.initCause(new UnresolvedAddressException());
        return failure;
    }

    private static ConnectException refused(IOException cause) {
        if (cause instanceof ConnectException same) {
            return same;
        }
        ConnectException failure = new ConnectException(cause.getMessage());
        failure.initCause(cause);
        return failure;
    }

    /** The same connection with TLS. Fails with what the handshake made of it; the connection stays open then. */
    Socket secured(Socket plain) throws IOException {
        plain.setSoTimeout(millisUntil(deadline));
        SSLSocket secured = (SSLSocket) client.sslContext()
                .getSocketFactory()
                .createSocket(plain, uri.getHost().replaceAll("[\\[\\]]", ""), port(uri), true);
        secured.setSSLParameters(client.sslParameters());
        secured.startHandshake();
        return secured;
    }

    static int port(URI uri) {
        int port = uri.getPort();
        return port >= 0 ? port : uri.getScheme().equalsIgnoreCase("https") ? 443 : 80;
    }

    /** At least one: zero would be for ever. */
    static int millisUntil(long moment) throws IOException {
        long left = Duration.ofNanos(moment - System.nanoTime()).toMillis();
        if (left <= 0) {
            throw new SocketTimeoutException("request timed out");
        }
        return (int) Math.min(left, Integer.MAX_VALUE);
    }

    static void closeQuietly(@Nullable Socket socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException ignored) {
            // it is of no use any more
        }
    }
}
