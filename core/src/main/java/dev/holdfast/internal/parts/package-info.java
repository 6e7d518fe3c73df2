/**
 * Small parts that several modules of Holdfast need and Java does not have: a map that forgets, threads that do not keep a
 * program alive. They know nothing of locks.
 */
@NullMarked
package dev.holdfast.internal.parts;

import org.jspecify.annotations.NullMarked;
