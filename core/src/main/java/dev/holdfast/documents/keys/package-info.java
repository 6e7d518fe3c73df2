/**
 * Master keys, under which the keys of documents are kept: from a file, from the environment, or at a key service that a module on the
 * class path knows. {@link dev.holdfast.documents.keys.MasterKeys} is what {@link dev.holdfast.documents.EncryptedDocuments} asks;
 * nothing in here knows a document.
 */
@NullMarked
package dev.holdfast.documents.keys;

import org.jspecify.annotations.NullMarked;
