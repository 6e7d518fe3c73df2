/**
 * Decides who calls. Start at {@code Authenticator}.
 *
 * <pre>
 *   Authorization header
 *        │  Credentials        what was presented: nothing, something unreadable, a secret
 *        ▼
 *   Authenticator ──► ApiTokens            a secret whose hash is configured, or was stored while the server runs
 *        │       └──► JwtTokens            see auth.jwt
 *        └──► ClientCertificates           the certificate of the connection, if there is no header
 * </pre>
 *
 * Nothing here blocks the thread that calls it.
 */
@NullMarked
package dev.holdfast.server.auth.login;

import org.jspecify.annotations.NullMarked;
