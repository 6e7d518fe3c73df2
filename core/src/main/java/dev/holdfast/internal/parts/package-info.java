/**
 * Small parts that several modules of Holdfast need and Java does not have: a map that forgets, threads that do not keep a
 * program alive, waiting that no interrupt ends, what is left to be given up when something is closed,
 * what really failed, others' texts in messages, certificates in PEM form, how far apart two words are. They know nothing of ours.
 */
@NullMarked
package dev.holdfast.internal.parts;

import org.jspecify.annotations.NullMarked;
