package dev.holdfast.cli.help;

import java.util.LinkedHashMap;
import java.util.Map;

/** What is true of all commands, for the overview, docs/CLI.md and the manual pages. */
public final class ProgramFacts {
    /** How durations are written, for options that take one. */
    public static final String DURATIONS =
            "DUR is a duration: 500ms, 30s, 5m, 1h30m, 2d. A number alone is seconds: 30, or 0.5.";

    public static final String CONTEXTS_FILE = "~/.config/holdfast/config.yaml";

    private ProgramFacts() {}

    /** Variables of the environment that commands read. */
    public static Map<String, String> environment() {
        Map<String, String> all = new LinkedHashMap<>(connection());
        all.put("HOLDFAST_LEASE_ID", "The lease for 'renew' and 'release', as --lease-id. Set by 'exec'.");
        all.put("HOLDFAST_STATE_STORE", "Where the documents of 'state' are, as --state-store.");
        all.put("HOLDFAST_STATE_ENCRYPTION_KEYS", "Where the keys of encrypted state are, as --state-key.");
        all.put("HOLDFAST_STACK", "The stack for 'state' commands that name none. Set by 'state run'.");
        all.put("HOLDFAST_ENVIRONMENT", "Its environment. Set by 'state run'.");
        all.put("NO_COLOR", "If set, no colours.");
        all.put("COLUMNS", "How wide tables and help may be.");
        return all;
    }

    /** What every command reads that asks a server or opens a store. */
    static Map<String, String> connection() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("HOLDFAST_SERVER", "URL of the server, as --server.");
        all.put("HOLDFAST_STORE", "URL of a store to work on without a server, as --store.");
        all.put("HOLDFAST_CONTEXT", "The context to use, as --context.");
        all.put("HOLDFAST_CONTEXT_FILE", "Another file with contexts than " + CONTEXTS_FILE + ".");
        all.put("HOLDFAST_NAMESPACE", "The namespace, as --namespace.");
        all.put("HOLDFAST_TOKEN_FILE", "A file with the token for the server, as --token-file.");
        all.put("HOLDFAST_TOKEN", "The token itself.");
        all.put("HOLDFAST_CA_FILE", "The certificates to trust, as --ca-file.");
        all.put("HOLDFAST_CLIENT_CERT", "The client's certificate, as --client-cert.");
        all.put("HOLDFAST_CLIENT_KEY", "Its private key, as --client-key.");
        return all;
    }

    /** What exit codes mean in general; each command says which of them it has, and what they mean there. */
    public static Map<String, String> exitCodes() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("0", "Done.");
        all.put("1", "It did not work; the reason is on standard error.");
        all.put("2", "The command line or a setting is wrong. Also when no command is given.");
        all.put("3", "Not held.");
        all.put("4", "The server does not recognise you, or does not allow this.");
        all.put("5", "Not confirmed; nothing was done.");
        all.put("6", "A check was made, and the answer is no.");
        all.put("69", "The server or store cannot be reached.");
        all.put("75", "Somebody else holds the lock, and it was not free in time.");
        all.put("76", "The lease was lost.");
        return all;
    }
}
