/**
 * What is inside a state document, whoever wrote it: {@link dev.holdfast.state.document.DocumentScan} finds serial and lineage in one pass
 * without keeping the document, {@link dev.holdfast.state.document.StateDiff} compares two by resource with secrets masked,
 * {@link dev.holdfast.state.document.DeployerChecksums} checks those that carry their own sums.
 */
@NullMarked
package dev.holdfast.state.document;

import org.jspecify.annotations.NullMarked;
