/**
 * The table of documents: {@link dev.holdfast.dynamodb.documents.DynamoDocumentWrite} is a transaction over heads,
 * {@link dev.holdfast.dynamodb.documents.DocumentQuery} a listing, {@link dev.holdfast.dynamodb.documents.DocumentItems} the single
 * requests, {@code DocumentItem} a head as attributes. Heads and contents are kept as package {@code dev.holdfast.aws.documents} says.
 * Public for {@code DynamoDocuments} only.
 */
@NullMarked
package dev.holdfast.dynamodb.documents;

import org.jspecify.annotations.NullMarked;
