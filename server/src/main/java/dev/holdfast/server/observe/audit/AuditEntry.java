package dev.holdfast.server.observe.audit;

import java.util.Map;
import java.util.TreeMap;

/**
 * Something that happened at this server and is no event of a lock.
 *
 * @param outcome what came of it: {@code done}, {@code refused}, {@code failed}
 * @param resource what it was about, such as {@code /state/shop/prod}
 */
public record AuditEntry(
        String event, AuditedCaller caller, Outcome outcome, String resource, Map<String, String> details) {
    /** A path is up to 8 KB, a subject 256 characters: a line stays a line. */
    private static final int MAX_TEXT = 500;

    /** What happens at one server alone, and is no event; the label never changes its meaning. */
    public enum Action {
        /** Somebody was not let in, or not allowed to do that. */
        AUTH_REFUSED("auth.refused"),
        STATE_READ("state.read"),
        /** Settings, tokens or certificates of this server changed while it runs. */
        CONFIG_CHANGED("config.changed"),
        /** A request that changes something or reads state came in; written before anything is done, where the audit is required. */
        REQUEST_RECEIVED("request.received");

        private final String label;

        Action(String label) {
            this.label = label;
        }

        public String label() {
            return label;
        }
    }

    public enum Outcome {
        DONE,
        REFUSED,
        FAILED,
        BEGUN
    }

    public AuditEntry {
        resource = cut(resource);
        Map<String, String> copy = new TreeMap<>();
        details.forEach((name, text) -> copy.put(name, cut(text)));
        details = copy;
    }

    public static AuditEntry done(Action action, AuditedCaller caller, String resource, Map<String, String> details) {
        return new AuditEntry(action.label(), caller, Outcome.DONE, resource, details);
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT - 3) + "...";
    }
}
