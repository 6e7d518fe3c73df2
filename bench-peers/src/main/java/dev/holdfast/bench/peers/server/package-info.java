/**
 * The servers that locks are kept in, each in a process of its own that ends with whoever started it: {@code ServerProgram} is that
 * process, {@code RunningServer} is what its starter sees. {@code ProcessTime} reads what such a process and all it started have used.
 */
@NullMarked
package dev.holdfast.bench.peers.server;

import org.jspecify.annotations.NullMarked;
