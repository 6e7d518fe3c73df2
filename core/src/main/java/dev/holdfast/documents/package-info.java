/**
 * Documents: bytes under a name, written only on condition. State, guard and the server keep theirs here, on whatever keeps the locks.
 * Nothing in here knows what is inside a document, and nothing knows of locks.
 *
 * <pre>
 *   DocumentStore          get, write, list; opened by DocumentStores, by URL, through a DocumentFactory
 *     Document             DocumentHead (name, tag, size, attributes) and Content (bytes, SHA-256)
 *     Change, Condition ──► WriteOutcome        a write, what must be so for it, and what became of it
 *     ListRequest ──► DocumentPage
 *
 *   EncryptedDocuments     the same over another store, contents encrypted: SealedContent, SealedHead are what is stored
 *   MemoryDocuments        in this process; FileDocuments (package file) in a directory; others with their stores
 *
 *   for stores             DocumentNames, Writes (bounds), Tags, AttributeText (form); DamagedDocumentException
 * </pre>
 *
 * <p>{@code keys} has the master keys that contents are encrypted under.
 */
@NullMarked
package dev.holdfast.documents;

import org.jspecify.annotations.NullMarked;
