/**
 * Documents as files of a directory, for people to read: {@link dev.holdfast.documents.file.FileDocuments}, opened by
 * {@code FileDocumentFactory}.
 *
 * <pre>
 *   stacks/shop/prod/state.json             exactly the bytes that were written
 *   stacks/shop/prod/.state.json.meta       its head (HeadFile): tag, size, SHA-256, attributes. The document is what this says
 *   stacks/shop/prod/.state.json.pending    the bytes of the write under way
 *   .holdfast.lock                          locked by whoever writes, in any process (WriteLock)
 * </pre>
 *
 * <p>A write puts the new bytes beside the old ({@code pending}), then replaces the head, which is the moment it has happened, then
 * moves the bytes to their place. A deletion moves the bytes aside, deletes the head, then the bytes. So whenever the process or
 * the machine stops, the content with the SHA-256 of the head is in one of the two files; who reads looks at both, and the next
 * who writes ends what was begun. {@code DocumentFiles} has these steps, {@code FileListing} the names in order, and {@code Tree} the
 * directory, out of which no name leads.
 */
@NullMarked
package dev.holdfast.documents.file;

import org.jspecify.annotations.NullMarked;
