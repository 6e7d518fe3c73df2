package dev.holdfast.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Where a server is to listen. Whether it can is found out before anything else is done: opening a store takes time and leaves files,
 * and whoever meets a port that is taken should hear of that, at once and alone.
 *
 * @param port 0 for any
 */
record ListenAddress(String host, int port) {
    /** Ports tried for a suggestion. */
    private static final int NEXT_PORTS = 20;

    private static final int LAST_PORT = 65_535;

    private static final int FIRST_PLAIN_PORT = 1024;

    static ListenAddress of(ServerOptions.Listen listen) {
        return new ListenAddress(listen.host(), listen.port());
    }

    /**
     * Listens for a moment.
     *
     * @throws IllegalArgumentException if that is not possible, with the reason and what to do
     */
    void check() {
        InetAddress address;
        try {
            address = InetAddress.getByName(bare());
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(
                    "Cannot listen on '" + host
                            + "': this machine knows no address of that name. Give an address or name of this"
                            + " machine with --host, or leave --host out for 127.0.0.1",
                    e);
        }
        try {
            bind(address, port);
        } catch (IOException e) {
            throw refused(e);
        }
    }

    private static void bind(InetAddress address, int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true); // as the server itself does: connections that just ended are not in the way
            socket.bind(new InetSocketAddress(address, port));
        }
    }

    /** What to say when this failure was the answer to listening there. */
    IllegalArgumentException refused(Throwable failure) {
        return new IllegalArgumentException("Cannot listen on " + this + ": " + advice(failure), failure);
    }

    private String advice(Throwable failure) {
        String why = String.valueOf(failure.getMessage());
        String lower = why.toLowerCase(Locale.ROOT);
        if (lower.contains("in use")) {
            String user = PortUser.of(port).map(process -> process + " has it").orElse("another process has it");
            return "the port is already in use; " + user + ". Choose another port, such as --port "
                    + freePort().orElse(0);
        }
        if (lower.contains("permission denied") && port > 0 && port < FIRST_PLAIN_PORT) {
            return "ports below " + FIRST_PLAIN_PORT
                    + " need special rights on this machine. Choose a higher port, such as --port 8080";
        }
        if (lower.contains("assign requested address") || lower.contains("unresolved")) {
            return "this machine has no such address. Give one of its own with --host, such as 127.0.0.1, or 0.0.0.0 for all of them";
        }
        return why + ". Choose another place with --port or --host";
    }

    /** A port that was free just now, not far away. */
    private OptionalInt freePort() {
        return IntStream.rangeClosed(port + 1, Math.min(port + NEXT_PORTS, LAST_PORT))
                .filter(this::isFree)
                .findFirst();
    }

    private boolean isFree(int other) {
        try {
            bind(InetAddress.getByName(bare()), other);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private String bare() {
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    @Override
    public String toString() {
        return (host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host) + ":" + port;
    }
}
