/**
 * What a server tells about itself: {@code GET /v2/server} for who may read something, {@code GET /v2/settings} for admins. Gets from
 * whoever wires the server what is to be told, in words that have no secrets: a value is masked where it is read, in {@code config}.
 */
@NullMarked
package dev.holdfast.server.about;

import org.jspecify.annotations.NullMarked;
