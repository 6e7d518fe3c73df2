package dev.holdfast.server.auth;

/** Whether it is established who calls. Only {@link Known} lets anything happen. */
public sealed interface Authentication {
    /**
     * It is.
     *
     * @param standing whether that still counts later, for what lasts longer than a request
     */
    record Known(Principal principal, CredentialStanding standing) implements Authentication {
        /** It counts as long as the server runs. */
        public Known(Principal principal) {
            this(principal, CredentialStanding.ALWAYS);
        }
    }

    record Missing() implements Authentication {}

    /**
     * What was presented is not accepted, and will not be if sent again: 401 (403 for state, as terraform expects).
     *
     * @param why in a sentence, safe to show to the caller
     */
    record Refused(String why) implements Authentication {}

    /**
     * It cannot be told now; the same credentials may be accepted later: 503.
     *
     * @param why in a sentence, safe to show to the caller
     */
    record Unavailable(String why) implements Authentication {}
}
