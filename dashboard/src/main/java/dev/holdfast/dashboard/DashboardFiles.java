package dev.holdfast.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All files of the page. Their address contains a hash of all of them, so a browser may keep them for ever: another content has
 * another address. Read once; immutable.
 */
public final class DashboardFiles {
    /** The pages of which the reader can have the address, besides the first. What is not here is not in the menu either. */
    public static final List<String> PAGES =
            List.of("locks", "lock", "waits", "timeline", "history", "state", "stack", "guard", "resource", "settings");

    /** Where the files are, below the place they are served from. */
    private static final List<String> OWN = List.of(
            "theme.js",
            "app.js",
            "router.js",
            "session.js",
            "api.js",
            "access.js",
            "stream.js",
            "locks.js",
            "lock-list.js",
            "overview.js",
            "search.js",
            "time.js",
            "keys.js",
            "explain.js",
            "parts.js",
            "lock-parts.js",
            "dialogs.js",
            "page-overview.js",
            "page-locks.js",
            "page-lock.js",
            "force.js",
            "pages.js",
            "regular.js",
            "app.css",
            "icon.svg");

    /** What is loaded only when somebody goes to a page that needs it. */
    private static final List<String> LATER = List.of(
            "page-waits.js",
            "waits-graph.js",
            "waits-usual.js",
            "waits-words.js",
            "page-timeline.js",
            "timeline-data.js",
            "timeline-events.js",
            "timeline-lane.js",
            "page-history.js",
            "history-events.js",
            "history-export.js",
            "page-state.js",
            "page-stack.js",
            "state-stacks.js",
            "state-words.js",
            "state-diff.js",
            "state-restore.js",
            "page-guard.js",
            "page-resource.js",
            "guard-words.js",
            "guard-parts.js",
            "guard-ask.js",
            "page-settings.js",
            "settings-words.js",
            "settings-tokens.js");

    /** The page is read before anything else, so its look and its first script come first. */
    private static final String FIRST_SCRIPT = "theme.js";

    private static final String STATIC = "/META-INF/resources/_static/";
    /** Lit, file by file; each of its files has a name of its own, so one folder is enough. */
    private static final List<String> LIBRARY = List.of(
            "lit-html/3.3.3/lit-html.js",
            "lit-html/3.3.3/directive.js",
            "lit-html/3.3.3/directive-helpers.js",
            "lit-html/3.3.3/directives/repeat.js",
            "lit-html/3.3.3/directives/live.js",
            "reactive-element/2.1.2/reactive-element.js",
            "reactive-element/2.1.2/css-tag.js",
            "lit-element/4.2.2/lit-element.js");

    /** It looks for the words first and whether they begin there after that: the other way round takes most of a server's start. */
    private static final Pattern SPECIFIER =
            Pattern.compile("((?:from|import)(?<=\\b(?:from|import))\\s*)([\"'])([@./\\w-]+)\\2");

    private static final int HASH_LETTERS = 12;

    private static @Nullable DashboardFiles loaded;

    private final Map<String, DashboardFile> files = new LinkedHashMap<>();
    private final String version;
    private final String page;

    private DashboardFiles() {
        OWN.forEach(name -> add(name, read(name)));
        LATER.forEach(name -> add(name, read(name)));
        LIBRARY.forEach(place -> add(fileOf(place), read(STATIC + place)));
        this.version = hash(files);
        this.page = new String(read("index.html"), StandardCharsets.UTF_8);
    }

    /**
     * Reads them from the class path, once for all servers of this process.
     *
     * @throws IllegalStateException if the build left one out
     */
    public static synchronized DashboardFiles load() {
        if (loaded == null) {
            loaded = new DashboardFiles();
        }
        return loaded;
    }

    private void add(String name, byte[] content) {
        byte[] served = name.endsWith(".js") ? beside(content) : content;
        files.put(name, new DashboardFile(name, served));
    }

    /** Whatever a module imports is in the same folder, also what it calls by the name of a package. */
    private static byte[] beside(byte[] script) {
        Matcher specifier = SPECIFIER.matcher(new String(script, StandardCharsets.UTF_8));
        String text = specifier.replaceAll(
                it -> Matcher.quoteReplacement(it.group(1) + it.group(2) + "./" + fileOf(it.group(3)) + it.group(2)));
        return text.replaceFirst("\n//# sourceMappingURL=\\S+\\s*$", "\n").getBytes(StandardCharsets.UTF_8);
    }

    private static String fileOf(String specifier) {
        String last = specifier.substring(specifier.lastIndexOf('/') + 1);
        return last.endsWith(".js") ? last : last + ".js";
    }

    /** The hash that is part of their address. */
    public String version() {
        return version;
    }

    private static String hash(Map<String, DashboardFile> files) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((name, file) -> {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(file.plain());
            });
            return HexFormat.of().formatHex(digest.digest()).substring(0, HASH_LETTERS);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }

    public List<DashboardFile> all() {
        return List.copyOf(files.values());
    }

    /** Those that every page needs, and the pages that nearly everybody sees. */
    List<DashboardFile> first() {
        return files.values().stream()
                .filter(file -> !LATER.contains(file.name()))
                .toList();
    }

    /**
     * The page itself, which is the same at all its addresses.
     *
     * @param place where the files are served, without a slash at the end
     * @param readOnly whether it offers nothing that changes something
     */
    public DashboardFile page(String place, boolean readOnly) {
        String folder = place + "/" + version;
        // All at once: a browser that finds them one in another would ask in four rounds.
        String preloads = first().stream()
                .map(DashboardFile::name)
                .filter(name -> name.endsWith(".js") && !name.equals(FIRST_SCRIPT))
                .map(name -> "  <link rel=\"modulepreload\" href=\"" + folder + "/" + name + "\">")
                .collect(Collectors.joining("\n"));
        String text = page.replace("{files}", folder)
                .replace("{preloads}", preloads)
                .replace("{read-only}", Boolean.toString(readOnly));
        return new DashboardFile("index.html", text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] read(String name) {
        try (InputStream in = DashboardFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("the build left " + name + " out of the dashboard");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
