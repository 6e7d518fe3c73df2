package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.SettingsCatalog;
import dev.holdfast.server.config.settings.Suggestion;
import dev.holdfast.server.config.values.Value;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads environment variables: {@code SERVER_PORT} or {@code HOLDFAST_SERVER_PORT} for {@code server.port}. */
record Environment(Layer layer, Problems problems) {
    private static final String PREFIX = "HOLDFAST_";

    /** The file of the configuration; a flag of the same meaning wins. */
    private static final String CONFIG = "HOLDFAST_CONFIG";

    /** They belong to the commands that talk to a server, and to what those start. */
    private static final Set<String> OF_THE_COMMANDS = Set.of(
            "HOLDFAST_SERVER",
            "HOLDFAST_CONTEXT",
            "HOLDFAST_CONTEXT_FILE",
            "HOLDFAST_NAMESPACE",
            "HOLDFAST_TOKEN",
            "HOLDFAST_TOKEN_FILE",
            "HOLDFAST_CA_FILE",
            "HOLDFAST_CLIENT_CERT",
            "HOLDFAST_CLIENT_KEY",
            "HOLDFAST_KEY",
            "HOLDFAST_PATH",
            "HOLDFAST_FENCING_TOKEN",
            "HOLDFAST_LEASE_ID",
            "HOLDFAST_LOST_REASON",
            "HOLDFAST_STATE_BASE",
            "HOLDFAST_STACK",
            "HOLDFAST_ENVIRONMENT",
            "HOLDFAST_DB_IDENTIFIER",
            "HOLDFAST_DB_TYPES",
            "HOLDFAST_ACTION",
            "HOLDFAST_REASON");

    /** A name that begins so and means nothing is a typing error, and one in these would leave a door open. */
    private static final List<String> REFUSED = List.of(PREFIX, "LOCKER_", "JWT_");

    /** Here it may belong to another program. */
    private static final List<String> NOTED = List.of("AUTHENTICATION_", "AUTH_TOKENS", "AUTH_CERTIFICATES");

    /**
     * Kubernetes sets these for every service of a namespace: a service called holdfast makes {@code HOLDFAST_PORT}, and
     * one called server makes {@code SERVER_PORT}, both with an address as value.
     */
    private static final Pattern SERVICE_LINK =
            Pattern.compile(".+_(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)");

    private static final Pattern SERVICE_ADDRESS = Pattern.compile("(tcp|udp|sctp)://.*");

    /** Fills the layer. The answer is the configuration file that is named. An empty variable counts as not set. */
    static Optional<String> read(Map<String, String> variables, Layer layer, Problems problems) {
        Environment environment = new Environment(layer, problems);
        new TreeMap<>(variables).forEach(environment::take);
        return Optional.ofNullable(variables.get(CONFIG)).filter(file -> !file.isBlank());
    }

    private void take(String variable, String value) {
        if (variable.equals(CONFIG) || OF_THE_COMMANDS.contains(variable) || isServiceLink(variable, value)) {
            return;
        }
        Optional<SettingsCatalog.Match> match = match(variable);
        if (match.isEmpty()) {
            unknown(variable);
        } else if (!value.isBlank()) {
            layer.add(match.get(), Value.Text.of(value), Origin.environment(variable));
        }
    }

    private static boolean isServiceLink(String variable, String value) {
        return SERVICE_LINK.matcher(variable).matches()
                || (variable.endsWith("_PORT") && SERVICE_ADDRESS.matcher(value).matches());
    }

    private static Optional<SettingsCatalog.Match> match(String variable) {
        Optional<SettingsCatalog.Match> own = SettingsCatalog.find(variable);
        if (own.isPresent() || !isPrefixed(variable)) {
            return own;
        }
        String key = variable.substring(PREFIX.length());
        return SettingsCatalog.find(Flags.SHORT.getOrDefault(key.toLowerCase(Locale.ROOT), key));
    }

    private void unknown(String variable) {
        String upper = variable.toUpperCase(Locale.ROOT);
        if (REFUSED.stream().anyMatch(upper::startsWith)) {
            problems.add(told(variable));
        } else if (NOTED.stream().anyMatch(upper::startsWith)) {
            problems.note(told(variable));
        }
    }

    /** Only for those that are told of: looking for what was meant takes longer than all the rest, at every start. */
    private static String told(String variable) {
        boolean prefixed = isPrefixed(variable);
        String key = prefixed ? variable.substring(PREFIX.length()) : variable;
        return "environment variable " + variable + " is not a setting of this server"
                + Suggestion.ending(key, name -> (prefixed ? PREFIX : "") + Suggestion.asVariable(name));
    }

    private static boolean isPrefixed(String variable) {
        return variable.regionMatches(true, 0, PREFIX, 0, PREFIX.length());
    }
}
