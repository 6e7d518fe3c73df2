/**
 * Who calls, what they may do, how often, and over which certificate.
 *
 * <pre>
 *   Authorization header
 *        │  Credentials        what was presented: nothing, something unreadable, a secret
 *        ▼
 *   Authenticator ──► ApiTokens       a secret whose hash is configured, or was stored while the server runs (see {@code tokens})
 *        │       └──► JwtTokens ──► VerifiedTokens   those checked a moment ago
 *        │                    ├──► IssuerKeys ──► KeySource   the issuer's keys, kept through its outages
 *        │                    └──► JwtRules                   signature, times, issuer, audience, subject, roles
 *        └──► ClientCertificates ──► ClientCaFile   the certificate of the connection, if there is no header
 *        ▼
 *   Authentication: Known(Principal) · Missing · Refused · Unavailable
 *                         │
 *                         ├── Grants.may(Role, namespace): deny unless granted
 *                         └── Standing: whether it still counts, for what lasts longer than a request; Standings looks
 * </pre>
 *
 * Nothing here blocks the thread that calls it, except what says so ({@code TlsFiles}). A secret is never logged, shown or put into a message.
 */
@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
