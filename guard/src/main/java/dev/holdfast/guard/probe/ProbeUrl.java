package dev.holdfast.guard.probe;

import java.net.URI;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A URL taken apart into what a probe needs.
 *
 * @param tls whether it is https
 * @param host a name in lower case without a dot at the end, or an address without brackets
 * @param port where
 * @param hostHeader as the server expects to be named
 * @param path with the query, as it goes on the request line
 */
record ProbeUrl(boolean tls, String host, int port, String hostHeader, String path) {
    /** Long enough for any real health check; the request must fit into one small buffer. */
    private static final int LONGEST = 2_000;

    // java.net.URI finds no host in a name with an underscore, which container networks are full of.
    private static final Pattern NAME_AND_PORT = Pattern.compile("([A-Za-z0-9._-]+)(?::([0-9]{1,5}))?");

    /** Throws IllegalArgumentException with a message for people if it is not a URL a probe may go to. */
    static ProbeUrl of(URI url) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        boolean tls = scheme.equals("https");
        check(tls || scheme.equals("http"), "the URL must begin with http:// or https://");
        check(url.getRawAuthority() != null, "the URL names no host");
        check(url.getRawAuthority().indexOf('@') < 0, "the URL must not carry a user name or password");
        check(url.toASCIIString().length() <= LONGEST, "the URL is longer than " + LONGEST + " characters");
        String host = url.getHost();
        int port = url.getPort();
        if (host == null) {
            Matcher matcher = NAME_AND_PORT.matcher(url.getRawAuthority());
            check(matcher.matches(), "the URL's host '" + url.getRawAuthority() + "' is not a host name");
            host = matcher.group(1);
            port = matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2));
        }
        check(port == -1 || (port > 0 && port <= 65_535), "the URL's port must be between 1 and 65535");
        String name = plain(host);
        check(!name.isEmpty(), "the URL names no host");
        String header = (name.indexOf(':') < 0 ? name : "[" + name + "]") + (port == -1 ? "" : ":" + port);
        return new ProbeUrl(tls, name, port == -1 ? (tls ? 443 : 80) : port, header, path(url));
    }

    /** As names are compared: lower case, no dot at the end, no brackets. */
    static String plain(String host) {
        String name = host.toLowerCase(Locale.ROOT);
        if (name.startsWith("[") && name.endsWith("]")) {
            name = name.substring(1, name.length() - 1);
        }
        return name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
    }

    private static String path(URI url) {
        URI ascii = URI.create(url.toASCIIString());
        String path = ascii.getRawPath() == null || ascii.getRawPath().isEmpty() ? "/" : ascii.getRawPath();
        return ascii.getRawQuery() == null ? path : path + "?" + ascii.getRawQuery();
    }

    private static void check(boolean good, String message) {
        if (!good) {
            throw new IllegalArgumentException(message);
        }
    }
}
