package dev.holdfast.server.auth;

import java.util.Optional;

/**
 * Client certificates that are accepted, and what their bearers may do. Exactly one of subject and san is given.
 *
 * @param subject the whole subject as RFC 2253 writes it: {@code CN=ci,O=Example}
 * @param san a name among the alternative ones: with {@code ://} a URI, with {@code @} a mail address, else a DNS name
 * @param id the name of the bearer, written like the id of a token; without it the name that matched: the alternative one, or the
 *     common name (CN)
 */
public record CertificateEntry(
        Optional<Glob> subject, Optional<Glob> san, Optional<String> id, Grants roles, Optional<String> group) {
    public CertificateEntry {
        if (subject.isPresent() == san.isPresent()) {
            throw new IllegalArgumentException("an entry of auth.certificates needs either a subject or a san");
        }
        id.ifPresent(TokenEntry::requireId);
        group.ifPresent(TokenEntry::requireGroup);
    }
}
