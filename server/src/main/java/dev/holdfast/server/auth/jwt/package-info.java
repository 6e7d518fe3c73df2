/**
 * JWTs of one issuer. Start at {@code JwtTokens}.
 *
 * <pre>
 *   JwtTokens ──► VerifiedTokens              those checked a moment ago
 *        ├──► IssuerKeys ──► KeySource        the issuer's keys, kept through its outages
 *        └──► JwtRules                        signature, times, issuer, audience, subject, roles
 * </pre>
 *
 * Nimbus parses tokens and keys and checks signatures. When keys are fetched is decided here and not by its {@code JWKSourceBuilder}, which
 * breaks what {@code IssuerKeysTest} holds this to: its rate limit lets two fetches through where a stranger's token may cause one; it follows
 * redirects; its time limit is one for each read, so that a body that drips blocks the thread that checks for as long as it likes; and an
 * issuer that failed is asked again only when a token comes, so that it does not recover by itself.
 */
@NullMarked
package dev.holdfast.server.auth.jwt;

import org.jspecify.annotations.NullMarked;
