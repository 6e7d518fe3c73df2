/**
 * What every store of documents must do. A store's own test extends {@code DocumentContract} and brings a {@code DocumentFixture}.
 *
 * <pre>
 *   DocumentContract     DocumentCases with DocumentWriteCases, DocumentContentCases, DocumentListCases, DocumentSharingCases
 *   DocumentFixture      an empty place and clients on it: MemoryDocumentFixture; EncryptedFixture around any other
 *   KilledWriter         a process that is killed while it writes, again and again
 * </pre>
 */
@NullMarked
package dev.holdfast.testkit.documents;

import org.jspecify.annotations.NullMarked;
