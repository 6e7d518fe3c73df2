/**
 * Documents: bytes under a name, written only on condition. What state and guard keep, on whatever keeps the locks.
 *
 * <p>A {@link dev.holdfast.documents.DocumentStore} gets, writes and lists; nothing in here knows what is inside.
 */
@NullMarked
package dev.holdfast.documents;

import org.jspecify.annotations.NullMarked;
