/**
 * JWTs of one issuer. Start at {@code JwtTokens}.
 *
 * <pre>
 *   JwtTokens ──► VerifiedTokens              those checked a moment ago
 *        ├──► IssuerKeys ──► KeySource        the issuer's keys, kept through its outages
 *        └──► JwtRules                        signature, times, issuer, audience, subject, roles
 * </pre>
 *
 * Nimbus parses tokens and keys and checks signatures. When keys are fetched is decided here and not by its {@code JWKSourceBuilder}: that
 * blocks the thread that checks, allows two fetches where strangers may cause one, and asks an issuer that failed again only when its cache
 * ends.
 */
@NullMarked
package dev.holdfast.server.auth.jwt;

import org.jspecify.annotations.NullMarked;
