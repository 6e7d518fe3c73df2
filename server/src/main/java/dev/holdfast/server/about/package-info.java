/**
 * What a server tells about itself. Gets from whoever wires the server what is to be told, in words that have no secrets: a value is
 * masked where it is read, in {@code config}.
 *
 * <pre>
 *   AboutRoutes     GET /v2/server for who may read something, GET /v2/settings for admins
 *   ServerFacts     which server it is, since when, on which store
 * </pre>
 *
 * Called by {@code http.edge} through the list of routes. Knows {@code config}, {@code http} and {@code auth}; no lock and no store.
 */
@NullMarked
package dev.holdfast.server.about;

import org.jspecify.annotations.NullMarked;
