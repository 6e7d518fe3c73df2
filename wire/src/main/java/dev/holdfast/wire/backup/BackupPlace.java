package dev.holdfast.wire.backup;

import dev.holdfast.documents.DocumentStore;
import java.util.function.Predicate;

/**
 * Where some of the documents are.
 *
 * @param documents the place
 * @param names which of the documents there belong to it; others there are left-overs of another time
 */
public record BackupPlace(DocumentStore documents, Predicate<String> names) {}
