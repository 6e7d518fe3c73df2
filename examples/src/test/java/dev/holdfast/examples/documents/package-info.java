/**
 * The Java in the documents, compiled: {@link dev.holdfast.examples.documents.CodeInDocumentsTest} takes each block out of its page, and
 * {@link dev.holdfast.examples.documents.Surroundings} is what readers have around it.
 */
@NullMarked
package dev.holdfast.examples.documents;

import org.jspecify.annotations.NullMarked;
