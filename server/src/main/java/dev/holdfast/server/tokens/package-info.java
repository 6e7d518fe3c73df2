/**
 * API tokens that are made and revoked while servers run.
 *
 * <pre>
 *   TokenRoutes      /v2/tokens: make, list, revoke. Asks for admin in all namespaces
 *        ▼
 *   StoredTokens     one document beside the locks, changed by compare-and-set, looked at once a second by every replica
 *        ▼           TokenDocument spells it
 *   Authenticator.storedTokens(…)      what counts from now on; what was opened with others ends
 * </pre>
 *
 * Only hashes of tokens are here, except in the one answer that tells a
 * new token.
 */
@NullMarked
package dev.holdfast.server.tokens;

import org.jspecify.annotations.NullMarked;
