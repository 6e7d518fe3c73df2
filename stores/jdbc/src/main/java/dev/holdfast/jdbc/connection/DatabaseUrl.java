package dev.holdfast.jdbc.connection;

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
public record DatabaseUrl(String jdbc, Properties properties, String shown) {
    /**
     * Reads a URL. What is before the host may be percent-encoded, and must be where it contains {@code @ : /}.
     *
     * @param url starts with {@code jdbc:}, or with a scheme and {@code ://}
     * @param driver the scheme the driver goes by, such as {@code postgresql}
     */
    public static DatabaseUrl of(String url, String driver) {
        if (url.startsWith("jdbc:")) {
            return new DatabaseUrl(url, new Properties(), Stores.masked(url));
        }
        String rest = url.substring(url.indexOf("://") + 3);
        int end = authorityEnd(rest);
        String authority = rest.substring(0, end);
        int at = authority.lastIndexOf('@');
        int question = rest.indexOf('?', end);
        String path = rest.substring(end, question < 0 ? rest.length() : question);
        if (path.contains("@") || (at < 0 && rest.contains("@"))) {
            // Before any part is named: it may be half of a password.
            throw new IllegalArgumentException("'" + Stores.masked(url)
                    + "': user and password in the URL must be percent-encoded (write / as %2F, ? as %3F, # as %23,"
                    + " @ as %40), and so must an @ behind the host");
        }
        String hosts = authority.substring(at + 1);
        String database = path.isEmpty() ? "" : path.substring(1);
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

    private static int authorityEnd(String rest) {
        for (int i = 0; i < rest.length(); i++) {
            if (rest.charAt(i) == '/' || rest.charAt(i) == '?') {
                return i;
            }
        }
        return rest.length();
    }

    /** Whether it names more than one server to try. */
    public boolean hasSeveralHosts() {
        int start = jdbc.indexOf("//") + 2;
        int end = jdbc.indexOf('/', start);
        return jdbc.substring(start, end < 0 ? jdbc.length() : end).contains(",");
    }

    private static String decoded(String part) {
        try {
            return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "user and password in the URL must be percent-encoded (write % as %25, @ as %40)", e);
        }
    }

    @Override
    public String toString() {
        return shown;
    }
}
