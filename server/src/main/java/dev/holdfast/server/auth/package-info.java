/**
 * Who somebody is and what they may do: {@code Principal} with {@code Grants} of {@code Role}s, deny unless granted. {@code TokenEntry} and
 * {@code CertificateEntry} are what a configuration says of callers.
 *
 * <pre>
 *   auth.login   Authenticator: what was presented ─► Authentication: Known(Principal) · Missing · Refused · Unavailable
 *   auth.jwt     tokens of an issuer, checked with its keys
 *   auth.tls     certificates of the server and of the authorities of its clients, read again while it runs
 *   here         what the three have in common; RateLimit: how often somebody may ask
 * </pre>
 *
 * {@code CredentialStanding} says whether a credential still counts, for what lasts longer than a request. A secret is never logged, shown
 * or put into a message. Some types are public only for the packages below.
 */
@NullMarked
package dev.holdfast.server.auth;

import org.jspecify.annotations.NullMarked;
