/**
 * Master keys, under which the keys of documents are kept. {@link dev.holdfast.documents.EncryptedDocuments} asks
 * {@link dev.holdfast.documents.keys.MasterKeys}; nothing in here knows a document.
 *
 * <pre>
 *   MasterKeys             the keys of a place: the first wraps what is written, all open what is read
 *     KeySources           from a file or the environment: LocalKey
 *     MasterKeyFactory     from a service, by a module on the class path
 *   MasterKey ──► DataKey  wraps the key of one write; never touches content
 *   Aes, Sha256            the ciphers; WrongKeyException, when bytes do not open
 * </pre>
 *
 * <p>No message, log or {@code toString} has a key in it.
 */
@NullMarked
package dev.holdfast.documents.keys;

import org.jspecify.annotations.NullMarked;
