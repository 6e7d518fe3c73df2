package dev.holdfast.server.auth;

import dev.holdfast.model.Account;
import dev.holdfast.model.RecordKey;
import java.util.Locale;
import java.util.Optional;

/**
 * Who calls. The name is what locks and history show as owner and actor; token ids, JWT subjects and names of certificates share this
 * one space of names.
 *
 * @param name the subject of the JWT, the id of the API token, the name of the certificate, or {@value #ANONYMOUS_NAME}
 * @param group the service account group it belongs to: its members may act for each other
 */
public record Principal(String name, Grants grants, CredentialOrigin origin, Optional<String> group) {
    /** The name of everybody on a server without authentication. */
    public static final String ANONYMOUS_NAME = "anonymous";
    /** Everybody on a server without authentication: may do everything. */
    public static final Principal ANONYMOUS = new Principal(ANONYMOUS_NAME, Grants.ALL, CredentialOrigin.OPEN_SERVER);

    /** Who was not let in: may do nothing. */
    public static final Principal NOBODY = new Principal("", Grants.NONE, CredentialOrigin.OPEN_SERVER);

    public enum CredentialOrigin {
        OPEN_SERVER,
        API_TOKEN,
        JWT,
        CERTIFICATE;

        public String spelling() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    public Principal(String name, Grants grants, CredentialOrigin origin) {
        this(name, grants, origin, Optional.empty());
    }

    /** As whom it takes locks; nobody in particular on a server that asks nobody. A hold belongs to the account that took it. */
    public Account account() {
        return isAnonymous() ? Account.NONE : new Account(name, group.orElse(""));
    }

    /** As whom it renews this lock and gives it back: an admin there acts on the holds of all. */
    public Account accountFor(RecordKey key) {
        return grants.may(Role.ADMIN, key) ? Account.NONE : account();
    }

    /** Whether nobody was asked who calls. */
    public boolean isAnonymous() {
        return origin == CredentialOrigin.OPEN_SERVER;
    }
}
