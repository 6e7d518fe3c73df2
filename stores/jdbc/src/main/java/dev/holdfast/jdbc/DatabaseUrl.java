package dev.holdfast.jdbc;

import dev.holdfast.Stores;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Properties;

/**
 * Where a database is, from {@code scheme://user:password@host:port/database?parameters} or a {@code jdbc:} URL.
 *
 * @param jdbc what the driver takes, without the password of the first form
 * @param properties user and password of the first form
 * @param shown for messages; never with a password
 */
record DatabaseUrl(String jdbc, Properties properties, String shown) {
    /**
     * Reads a URL. What is before the host may be percent-encoded, and must be where it contains {@code @ : /}.
     *
     * @param url starts with {@code jdbc:}, or with a scheme and {@code ://}
     * @param driver the scheme the driver goes by, such as {@code postgresql}
     */
    static DatabaseUrl of(String url, String driver) {
        if (url.startsWith("jdbc:")) {
            return new DatabaseUrl(url, new Properties(), Stores.masked(url));
        }
        String rest = url.substring(url.indexOf("://") + 3);
        int slash = rest.indexOf('/');
        int question = rest.indexOf('?');
        int end = slash >= 0 ? slash : question >= 0 ? question : rest.length();
        String authority = rest.substring(0, end);
        int at = authority.lastIndexOf('@');
        String hosts = authority.substring(at + 1);
        String database = slash < 0 ? "" : rest.substring(slash + 1, question < 0 ? rest.length() : question);
        if (hosts.isEmpty() || database.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + Stores.masked(url) + "' names no " + (hosts.isEmpty() ? "host" : "database") + "; write "
                            + driver + "://user:password@host:port/database");
        }
        Properties properties = new Properties();
        if (at >= 0) {
            String who = authority.substring(0, at);
            int colon = who.indexOf(':');
            properties.setProperty("user", decoded(colon < 0 ? who : who.substring(0, colon)));
            if (colon >= 0) {
                properties.setProperty("password", decoded(who.substring(colon + 1)));
            }
        }
        return new DatabaseUrl("jdbc:" + driver + "://" + rest.substring(at + 1), properties, Stores.masked(url));
    }

    /** Whether it names more than one server to try. */
    boolean hasSeveralHosts() {
        int start = jdbc.indexOf("//") + 2;
        int end = jdbc.indexOf('/', start);
        return jdbc.substring(start, end < 0 ? jdbc.length() : end).contains(",");
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "user or password in the URL is not percent-encoded as it must be (write % as %25, @ as %40)", e);
        }
    }

    @Override
    public String toString() {
        return shown;
    }
}
