package dev.holdfast.server.auth;

/**
 * Who calls. The name is what locks and history show as owner and actor; token ids and JWT subjects share this one space of names.
 *
 * @param name the subject of the JWT, the id of the API token, or {@value #ANONYMOUS_NAME}
 * @param grants what may be done
 * @param origin how it was established
 */
public record Principal(String name, Grants grants, Origin origin) {
    /** The name of everybody on a server without authentication. */
    public static final String ANONYMOUS_NAME = "anonymous";
    /** Everybody on a server without authentication: may do everything. */
    public static final Principal ANONYMOUS = new Principal(ANONYMOUS_NAME, Grants.ALL, Origin.OPEN_SERVER);

    /** Who was not let in: may do nothing. */
    public static final Principal NOBODY = new Principal("", Grants.NONE, Origin.OPEN_SERVER);

    /** How a principal was established. */
    public enum Origin {
        /** The server asks nobody. */
        OPEN_SERVER,
        /** By an API token. */
        API_TOKEN,
        /** By a signed JWT. */
        JWT
    }

    /** Whether nobody was asked who calls. */
    public boolean isAnonymous() {
        return origin == Origin.OPEN_SERVER;
    }
}
