package dev.holdfast.server.http.edge;

import dev.holdfast.guard.probe.AddressRange;
import dev.holdfast.server.auth.Loopback;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where requests come from. A proxy that is trusted says for whom it asks: {@code X-Forwarded-For}, else {@code Forwarded}, read from
 * its end, where each proxy adds who asked it; the first that is no trusted proxy is the client. Nobody else is believed: everybody can
 * send such headers. Immutable.
 */
public final class RemoteAddresses {
    public static final RemoteAddresses DIRECT = new RemoteAddresses(List.of());

    /** More proxies than a request passes. */
    private static final int MAX_HOPS = 50;

    private final List<AddressRange> proxies;

    private RemoteAddresses(List<AddressRange> proxies) {
        this.proxies = List.copyOf(proxies);
    }

    /**
     * With these proxies, addresses or ranges such as {@code 10.0.0.0/8}.
     *
     * @throws IllegalArgumentException naming the first that is none
     */
    public static RemoteAddresses behind(List<String> proxies) {
        return new RemoteAddresses(proxies.stream().map(AddressRange::of).toList());
    }

    String of(HttpServerRequest request) {
        String peer = address(request.remoteAddress());
        return isProxy(peer)
                ? client(
                        peer,
                        request.headers().getAll("X-Forwarded-For"),
                        request.headers().getAll("Forwarded"))
                : peer;
    }

    /** Who asked, if this peer did for somebody, with these headers. */
    String client(String peer, List<String> forwardedFor, List<String> forwarded) {
        List<String> hops = forwardedFor.isEmpty() ? forwarded(forwarded) : entries(forwardedFor);
        String client = peer;
        int last = Math.max(0, hops.size() - MAX_HOPS);
        for (int i = hops.size() - 1; i >= last && isProxy(client); i--) {
            Optional<String> before = literal(hops.get(i));
            if (before.isEmpty()) {
                return client; // "unknown", or no address: further than this nobody can see
            }
            client = before.get();
        }
        return client;
    }

    /** The address of the other end of a connection, without port and zone. */
    static String address(@Nullable SocketAddress peer) {
        String host = peer == null ? null : peer.hostAddress();
        return host == null ? "unknown" : host.split("%", 2)[0];
    }

    /** Whether that is a proxy of ours, or this machine: behind it are many clients. */
    boolean isShared(String address) {
        return Loopback.isLoopback(address) || isProxy(address);
    }

    private boolean isProxy(String address) {
        return !proxies.isEmpty()
                && AddressRange.literal(address)
                && Loopback.address(address).map(InetAddress::getAddress).stream()
                        .anyMatch(bytes -> proxies.stream().anyMatch(range -> range.contains(bytes)));
    }

    private static List<String> entries(List<String> headers) {
        return headers.stream()
                .flatMap(header -> Stream.of(header.split(",", -1)))
                .toList();
    }

    /** The {@code for} of each element; one that has none hides who was before. */
    private static List<String> forwarded(List<String> headers) {
        return entries(headers).stream().map(RemoteAddresses::forwardedFor).toList();
    }

    private static String forwardedFor(String element) {
        for (String pair : element.split(";", -1)) {
            String clean = pair.strip();
            if (clean.toLowerCase(Locale.ROOT).startsWith("for=")) {
                String value = clean.substring(4).strip();
                boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
                return quoted ? value.substring(1, value.length() - 1) : value;
            }
        }
        return "";
    }

    /** An address as proxies write it: with or without port, IPv6 in brackets or not. Asks no name service. */
    private static Optional<String> literal(String hop) {
        String text = hop.strip();
        int bracket = text.indexOf(']');
        if (text.startsWith("[") && bracket > 0) {
            text = text.substring(1, bracket);
        } else if (text.indexOf(':') >= 0 && text.indexOf(':') == text.lastIndexOf(':')) {
            text = text.substring(0, text.indexOf(':'));
        }
        boolean shaped = text.length() <= 45 && text.matches("[0-9A-Fa-f:.]+") && AddressRange.literal(text);
        return shaped ? Loopback.address(text).map(InetAddress::getHostAddress) : Optional.empty();
    }
}
