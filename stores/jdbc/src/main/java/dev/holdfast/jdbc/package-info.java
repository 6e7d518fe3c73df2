/** Locks kept in an SQL database. */
@NullMarked
package dev.holdfast.jdbc;

import org.jspecify.annotations.NullMarked;
