package dev.holdfast.server.auth;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.regex.Pattern;

/** Which hosts only this machine can reach. Asks no name service: what is not surely loopback is not. */
public final class Loopback {
    private static final Pattern IPV4 = Pattern.compile("127(\\.(25[0-5]|2[0-4]\\d|1?\\d?\\d)){3}");
    private static final Pattern IPV6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");

    private Loopback() {}

    /** Whether {@code host} is {@code localhost} or a literal loopback address, in brackets or not. */
    public static boolean isLoopback(String host) {
        String bare = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return bare.toLowerCase(Locale.ROOT).equals("localhost")
                || IPV4.matcher(bare).matches()
                || (bare.contains(":") && IPV6.matcher(bare).matches() && isLoopbackLiteral(bare));
    }

    private static boolean isLoopbackLiteral(String address) {
        try {
            // With a colon in it, it is a literal: no name is looked up.
            return InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }
}
