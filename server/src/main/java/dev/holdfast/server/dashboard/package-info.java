/**
 * The dashboard at {@code /}: hands out the files of {@code dev.holdfast.dashboard}. Open to everybody, since they tell nothing about
 * locks: the page asks the same calls as everybody else, with the credentials of its reader. Everything it needs for itself is below
 * {@code /ui}, which is no part of the API.
 */
@NullMarked
package dev.holdfast.server.dashboard;

import org.jspecify.annotations.NullMarked;
