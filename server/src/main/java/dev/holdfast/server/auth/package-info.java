/**
 * Who calls, what they may do, how often, and over which certificate.
 *
 * <pre>
 *   Authorization header
 *        │  Credentials        what was presented: nothing, something unreadable, a secret
 *        ▼
 *   Authenticator ──► ApiTokens       a secret whose hash is configured
 *        │       └──► JwtTokens ──► VerifiedTokens   those checked a moment ago
 *        │                    ├──► IssuerKeys ──► KeySource   the issuer's keys, kept through its outages
 *        │                    └──► JwtRules                   signature, times, issuer, audience, subject, roles
 *        ▼
 *   Authentication: Known(Principal) · Missing · Refused · Unavailable
 *                         │
 *                         └── Grants.may(Role, namespace): deny unless granted
 * </pre>
 *
 * Nothing here blocks the thread that calls it, except what says so ({@code TlsFiles}). A secret is never logged, shown or put into a message.
 */
@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
