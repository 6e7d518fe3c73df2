package dev.holdfast.server.auth.login;

import dev.holdfast.internal.parts.RecentMap;
import dev.holdfast.model.Names;
import dev.holdfast.server.auth.Authentication;
import dev.holdfast.server.auth.Authentication.Known;
import dev.holdfast.server.auth.Authentication.Refused;
import dev.holdfast.server.auth.CertificateEntry;
import dev.holdfast.server.auth.CredentialStandings;
import dev.holdfast.server.auth.Glob;
import dev.holdfast.server.auth.Principal;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;
import javax.net.ssl.X509TrustManager;

/**
 * Knows callers by the certificate of their connection. TLS has checked it when the connection was opened; here its end is looked at
 * with every request, and who signed it again whenever the authorities changed: connections may stay open for days. Safe for any thread.
 */
final class ClientCertificates {
    /** More than these on one server pay a check each time. */
    private static final int MAX_KNOWN = 10_000;
    /** Longest name, as for the subject of a JWT. */
    private static final int MAX_NAME = 256;

    private static final int EMAIL = 1; // the numbers that RFC 5280 gives to kinds of names
    private static final int DNS = 2;
    private static final int URI = 6;

    private static final Refused NO_AUTHORITIES =
            new Refused("Client certificates are not accepted here: server.tls.client-ca is not set.");
    private static final Refused NOT_TRUSTED = new Refused("The client certificate is not signed by an authority in"
            + " server.tls.client-ca; it may have been replaced since the connection was opened.");
    private static final Refused NOBODY = new Refused("The client certificate matches no entry of auth.certificates.");

    private final List<CertificateEntry> entries;
    private final Clock clock;
    private final CredentialStandings standings;
    private volatile Optional<X509TrustManager> trust = Optional.empty();

    private final Map<X509Certificate, CheckResult> known = new RecentMap<>(MAX_KNOWN); // guarded by itself

    /** What was found, as long as these are the authorities. */
    private record CheckResult(X509TrustManager by, Authentication answer) {}

    ClientCertificates(List<CertificateEntry> entries, Clock clock, CredentialStandings standings) {
        this.entries = entries;
        this.clock = clock;
        this.standings = standings;
    }

    void trust(X509TrustManager authorities) {
        trust = Optional.of(authorities);
    }

    /** Whether a certificate says who calls; if not, it only opened the door. */
    boolean areAsked() {
        return !entries.isEmpty();
    }

    Authentication bearer(List<X509Certificate> chain) {
        X509Certificate own = chain.get(0);
        Instant now = clock.instant();
        if (!now.isBefore(end(own))) {
            return new Refused("The client certificate expired at " + end(own) + ".");
        }
        if (now.isBefore(own.getNotBefore().toInstant())) {
            return new Refused("The client certificate is not valid before "
                    + own.getNotBefore().toInstant() + ".");
        }
        Optional<X509TrustManager> authorities = trust;
        return authorities.isEmpty() ? NO_AUTHORITIES : checked(chain, authorities.get());
    }

    private Authentication checked(List<X509Certificate> chain, X509TrustManager by) {
        X509Certificate own = chain.get(0);
        synchronized (known) {
            CheckResult before = known.get(own);
            if (before != null && before.by() == by) {
                return before.answer();
            }
        }
        Authentication answer = isTrusted(chain, by) ? found(chain) : NOT_TRUSTED;
        synchronized (known) {
            known.put(own, new CheckResult(by, answer));
        }
        return answer;
    }

    private static boolean isTrusted(List<X509Certificate> chain, X509TrustManager by) {
        try {
            by.checkClientTrusted(
                    chain.toArray(X509Certificate[]::new),
                    chain.get(0).getPublicKey().getAlgorithm());
            return true;
        } catch (CertificateException | IllegalArgumentException e) {
            return false;
        }
    }

    /** The first entry that fits counts. */
    private Authentication found(List<X509Certificate> chain) {
        X509Certificate own = chain.get(0);
        for (CertificateEntry entry : entries) {
            Optional<String> name = matched(entry, own);
            if (name.isPresent()) {
                return named(entry.id().or(() -> name).orElseThrow(), entry, chain);
            }
        }
        return NOBODY;
    }

    private Authentication named(String name, CertificateEntry entry, List<X509Certificate> chain) {
        try {
            Names.text("name", name, 1);
        } catch (IllegalArgumentException e) {
            return new Refused("The name in the client certificate cannot be shown; give its entry an id.");
        }
        if (name.length() > MAX_NAME) {
            return new Refused("The name in the client certificate is longer than " + MAX_NAME
                    + " characters; give its entry an id.");
        }
        return new Known(
                new Principal(name, entry.roles(), Principal.CredentialOrigin.CERTIFICATE, entry.group()),
                standings.of(
                        end(chain.get(0)),
                        () -> trust.filter(by -> checked(chain, by) instanceof Known)
                                .isPresent()));
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    // ---- names

    private static Optional<String> matched(CertificateEntry entry, X509Certificate certificate) {
        String subject = certificate.getSubjectX500Principal().getName();
        if (entry.subject().isPresent()) {
            return entry.subject().get().matches(subject) ? Optional.of(commonName(subject)) : Optional.empty();
        }
        Glob san = entry.san().orElseThrow();
        return alternatives(certificate, kind(san)).filter(san::matches).findFirst();
    }

    /** A name of one kind must not be taken for one of another, over which its owner has other rights. */
    private static int kind(Glob san) {
        if (san.pattern().contains("://")) {
            return URI;
        }
        return san.pattern().contains("@") ? EMAIL : DNS;
    }

    private static Stream<String> alternatives(X509Certificate certificate, int kind) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? Stream.empty()
                    : names.stream().filter(name -> name.get(0).equals(kind)).map(name -> String.valueOf(name.get(1)));
        } catch (CertificateParsingException e) {
            return Stream.empty(); // names that cannot be read are no names
        }
    }

    /** The most specific common name; the whole subject where there is none. */
    private static String commonName(String subject) {
        try {
            List<Rdn> parts = new LdapName(subject).getRdns();
            for (int i = parts.size() - 1; i >= 0; i--) {
                if (parts.get(i).getType().equalsIgnoreCase("CN")
                        && parts.get(i).getValue() instanceof String name) {
                    return name;
                }
            }
            return subject;
        } catch (InvalidNameException e) {
            return subject;
        }
    }
}
