package dev.holdfast.jdbc;

import dev.holdfast.spi.RecordStore;
import dev.holdfast.spi.StoreFactory;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Opens {@code sqlite:path} or {@code jdbc:sqlite:path} (shared with other processes of this machine) and {@code sqlite:path?mode=exclusive} (for a
 * server). The path is taken as it stands, relative to the working directory; it ends at the first {@code ?}.
 */
public final class SqliteStoreFactory implements StoreFactory {
    private static final String SCHEME = "sqlite:";
    private static final String LABEL = "label=";
    private static final String JDBC = "jdbc:";

    @Override
    public boolean accepts(String url) {
        return withoutJdbc(url).toLowerCase(Locale.ROOT).startsWith(SCHEME);
    }

    @Override
    public String example() {
        return "sqlite:./locks.db";
    }

    @Override
    public RecordStore open(String url) {
        return SqliteStore.open(file(url), configOf(url));
    }

    /** Refuses parameters that are none. */
    static void checkParameters(String url) {
        configOf(url);
    }

    private static SqliteConfig configOf(String url) {
        int query = url.indexOf('?');
        return query < 0 ? SqliteConfig.shared() : config(url.substring(query + 1));
    }

    /** The file a URL names. */
    static Path file(String url) {
        String rest = withoutJdbc(url).substring(SCHEME.length());
        int query = rest.indexOf('?');
        return path(query < 0 ? rest : rest.substring(0, query));
    }

    private static String withoutJdbc(String url) {
        return url.regionMatches(true, 0, JDBC, 0, JDBC.length()) ? url.substring(JDBC.length()) : url;
    }

    private static Path path(String text) {
        if (text.isEmpty() || text.equals(":memory:")) {
            throw new IllegalArgumentException("sqlite: needs the path of a file, such as sqlite:./locks.db;"
                    + " for locks that need not outlive the process use memory:");
        }
        if (text.startsWith("//")) {
            throw new IllegalArgumentException("sqlite:" + text + " is ambiguous; write sqlite:/var/lib/app/locks.db"
                    + " for an absolute path or sqlite:locks.db for one in the working directory");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("sqlite path '" + text + "' is not a path here: " + e.getReason(), e);
        }
    }

    private static SqliteConfig config(String query) {
        boolean exclusive = false;
        String label = "";
        for (String parameter : query.split("&", -1)) {
            if (parameter.equals("mode=shared") || parameter.equals("mode=exclusive")) {
                exclusive = parameter.endsWith("exclusive");
            } else if (parameter.startsWith(LABEL)) {
                label = URLDecoder.decode(parameter.substring(LABEL.length()), StandardCharsets.UTF_8);
            } else {
                throw unknown(parameter);
            }
        }
        return exclusive ? SqliteConfig.exclusive(label) : SqliteConfig.shared();
    }

    private static IllegalArgumentException unknown(String parameter) {
        if (parameter.startsWith("mode=")) {
            return new IllegalArgumentException(
                    "sqlite parameter mode must be 'shared' or 'exclusive', was '" + parameter.substring(5) + "'");
        }
        int end = parameter.indexOf('=');
        return new IllegalArgumentException("sqlite parameter '"
                + (end < 0 ? parameter : parameter.substring(0, end))
                + "' is unknown; there are 'mode' (shared or exclusive) and"
                + " 'label' (shown to others who find the file in use)");
    }
}
