/**
 * The lock libraries that are compared, each behind one {@code Contender}: ours, those of others, and a bare loop of statements. {@code ComparedLibrary}
 * lists them with the server each needs. Only this package knows the libraries of others.
 */
@NullMarked
package dev.holdfast.bench.peers.contender;

import org.jspecify.annotations.NullMarked;
