/**
 * What the documents at AWS share: a head that names a content, which is kept apart from it under an id of its own, written before any
 * head names it and never changed. Public for those modules only.
 *
 * <pre>
 *   StoredDocument  a head, and which content is its own
 *   ContentStore    where contents are
 *   ContentUploads  the contents of one write: uploaded first, discarded when no head names them
 * </pre>
 */
@NullMarked
package dev.holdfast.aws.documents;

import org.jspecify.annotations.NullMarked;
