package dev.holdfast.server.auth;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which hosts only this machine can reach. Asks no name service: what is not surely loopback is not. */
public final class Loopback {
    private static final Pattern IPV4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
    /** What the JDK reads, or refuses, without a name service: what else it does not know is a name to it, {@code 999.1.1.1} too. */
    private static final Pattern LITERAL =
            Pattern.compile("((25[0-5]|2[0-4]\\d|[01]?\\d?\\d)(\\.(?!$)|$)){4}|[0-9A-Fa-f]*:.*");

    private Loopback() {}

    /** Whether {@code host} is {@code localhost} or a literal loopback address, in brackets or not. */
    public static boolean isLoopback(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return bare.toLowerCase(Locale.ROOT).equals("localhost")
                || IPV4.matcher(bare).matches()
                || (bare.contains(":")
                        && IPV6.matcher(bare).matches()
                        && address(bare).filter(InetAddress::isLoopbackAddress).isPresent());
    }

    /** The address a text is; empty if it is none, such as a name. */
    public static Optional<InetAddress> address(String text) {
        try {
            return LITERAL.matcher(text).matches() ? Optional.of(InetAddress.getByName(text)) : Optional.empty();
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
