package dev.holdfast.cli.serve;

import dev.holdfast.Stores;
import dev.holdfast.cli.connect.Target;
import dev.holdfast.server.ServerOptions;
import dev.holdfast.server.ServerVersion;
import dev.holdfast.server.health.HealthPart;
import java.util.ArrayList;
import java.util.List;

/**
 * What a server says when it has started: what it is, where it keeps things, who may use it, what to try next. Never more than twelve
 * lines. On a terminal a block that is read at a glance, whose commands can be copied; in a log a line for each fact.
 *
 * @param config as it runs, with the port it got
 * @param state how state stands: a place that does not work is not named as if it did
 * @param guardRecordsOnly whether its guard has nothing that really stops a database
 */
record StartNotice(
        ServerOptions config, String url, Access access, HealthPart state, boolean demo, boolean guardRecordsOnly) {
    enum Access {
        /** Nobody is asked, so only this machine is served. */
        THIS_MACHINE("this machine only, because no authentication is set (auth.tokens)"),
        EVERYBODY("EVERYBODY who reaches it may do everything (authentication.disabled)"),
        KNOWN_CALLERS("callers that are known by a token, JWT or certificate");

        private final String words;

        Access(String words) {
            this.words = words;
        }
    }

    List<String> block() {
        List<String> lines = new ArrayList<>();
        lines.add("Holdfast " + ServerVersion.text() + " listens on " + url);
        lines.add("  Locks   " + place(config.store()));
        lines.add("  State   " + (isStateLost() ? "NOT KEPT: see why with holdfast doctor" + server() : statePlace()));
        lines.add("  Access  " + access.words);
        if (guardRecordsOnly && !demo) {
            lines.add("  Guard   only records what it would stop; guard.actuators changes that");
        }
        lines.add("  Docs    " + reachable() + "/docs");
        lines.add("");
        lines.add("Try, in another terminal:");
        tries().forEach(command -> lines.add("  " + command));
        return lines;
    }

    /** Two commands that work as they are. */
    private List<String> tries() {
        if (access == Access.KNOWN_CALLERS) {
            return List.of("curl " + reachable() + "/health/ready", "holdfast ls" + server() + " --token-file FILE");
        }
        return demo
                ? List.of("holdfast ls" + server(), "holdfast state history shop prod" + server())
                : List.of("holdfast exec" + server() + " my-job -- sleep 60", "holdfast ls" + server());
    }

    private String server() {
        return reachable().equals(Target.DEFAULT_SERVER) ? "" : " --server " + reachable();
    }

    /** All addresses is none that can be called. */
    private String reachable() {
        return url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");
    }

    private boolean isStateLost() {
        return state.status() == HealthPart.Status.DOWN;
    }

    private String statePlace() {
        String beside = config.store().startsWith("dynamodb:") ? "no place yet; set state.store" : "the same place";
        return config.state().store().map(StartNotice::place).orElse(beside);
    }

    /** Without what only this server needs to know. */
    private static String place(String url) {
        if (url.equals("memory:")) {
            return "memory, gone when the server stops";
        }
        String masked = Stores.masked(url);
        int query = masked.indexOf('?');
        return masked.startsWith("sqlite:") && query > 0 ? masked.substring(0, query) : masked;
    }

    /** The first says where it listens: scripts wait for it. */
    List<String> facts() {
        List<String> lines = new ArrayList<>();
        lines.add("Holdfast listens on " + url + " (version " + ServerVersion.text() + ")");
        lines.add("Locks are kept in " + place(config.store()));
        lines.add(isStateLost() ? "State is NOT kept: " + state.detail() : "State is kept in " + statePlace());
        if (access == Access.THIS_MACHINE) {
            lines.add("No authentication is set, so only this machine is served. Set auth.tokens or jwt.issuer,"
                    + " or say authentication.disabled=true, to listen elsewhere");
        }
        if (access == Access.KNOWN_CALLERS) {
            lines.add("It serves " + access.words);
        }
        if (demo) {
            lines.add("Demo: the data are made up, kept in memory, and gone when the server stops");
        }
        return lines;
    }
}
