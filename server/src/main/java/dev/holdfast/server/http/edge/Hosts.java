package dev.holdfast.server.http.edge;

import dev.holdfast.server.auth.Loopback;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * By which names a server answers. One that asks nobody who calls is safe from web pages only if it does not answer to a name that
 * somebody else can point at it: to loopback names, IP addresses, the name it listens on, and those it was given. One that asks answers
 * to all. Immutable.
 */
public final class Hosts {
    public static final Hosts ANY = new Hosts(true, List.of());

    /** In brackets only what has a colon: an IPv4 address stands without them. */
    private static final Pattern AUTHORITY =
            Pattern.compile("(\\[(?=[^]]*:)[0-9A-Fa-f:.]{2,45}]|[A-Za-z0-9_.-]{1,255})(:[0-9]{0,5})?");

    private static final Pattern IPV4 = Pattern.compile("((25[0-5]|2[0-4]\\d|1?\\d?\\d)(\\.(?!$)|$)){4}");

    private final boolean any;
    private final List<String> names;

    private Hosts(boolean any, List<String> names) {
        this.any = any;
        this.names = names;
    }

    /** Those of this machine, addresses, and these: names, or all names below one ({@code *.example.com}). */
    public static Hosts only(List<String> names) {
        return new Hosts(false, names.stream().map(Hosts::plain).toList());
    }

    /** Whether the server answers to this: a host, perhaps with a port. */
    boolean contains(String authority) {
        if (any) {
            return true;
        }
        Matcher parts = AUTHORITY.matcher(authority);
        if (!parts.matches()) {
            return false;
        }
        String host = plain(parts.group(1));
        return Loopback.isLoopback(host) || isAddress(host) || names.stream().anyMatch(name -> isNamed(name, host));
    }

    private static boolean isNamed(String name, String host) {
        return name.startsWith("*.")
                ? host.endsWith(name.substring(1)) && host.length() > name.length() - 1
                : host.equals(name);
    }

    /** Only as people write it: numbers that some programs take for an address are names here. */
    private static boolean isAddress(String host) {
        return host.startsWith("[")
                ? Loopback.address(host.substring(1, host.length() - 1)).isPresent()
                : IPV4.matcher(host).matches();
    }

    /** In lower case, without the dot at the end that means the same. */
    private static String plain(String host) {
        String lower = host.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") && lower.length() > 1 ? lower.substring(0, lower.length() - 1) : lower;
    }
}
