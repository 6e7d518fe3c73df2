package dev.holdfast.server.tokens;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Something about who may do what was changed.
 *
 * @param kind what
 * @param by who did it; the name of the file where the configuration was changed
 * @param id of the token; several, separated by commas, where the configuration was changed
 * @param requestId of the request that did it; empty where none did
 * @param address where that came from; empty where none did
 */
public record TokenChange(Kind kind, String by, String id, String requestId, String address) {
    private static final Logger LOG = LoggerFactory.getLogger(TokenChange.class);

    public enum Kind {
        CREATED("token.created"),
        REVOKED("token.revoked"),
        /** Tokens of the configuration were added, changed or removed. */
        CONFIG_CHANGED("config.changed");

        private final String event;

        Kind(String event) {
            this.event = event;
        }

        public String event() {
            return event;
        }
    }

    /** Writes a line to the log of the server. */
    public static void log(TokenChange change) {
        LOG.info(
                "{}: {} by {}{}",
                change.kind.event(),
                change.id,
                change.by,
                change.requestId.isEmpty() ? "" : " (request " + change.requestId + ")");
    }
}
