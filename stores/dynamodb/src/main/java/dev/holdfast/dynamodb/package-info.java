/**
 * Locks and documents kept in DynamoDB, and what users see of it. Start with {@link dev.holdfast.dynamodb.DynamoStore}.
 *
 * <pre>
 *   DynamoStore      locks: opens the stores of package locks       DynamoStoreFactory, DynamoUrl   by URL
 *   DynamoDocuments  documents, on package documents                DynamoDocumentFactory           by URL
 *   DynamoSchema     shows, makes (TableMaker, IndexMaker) and removes the tables
 *   TableCheck, IndexCheck   whether tables and index are as they must be
 *   DynamoConfig, ListingIndex   how to use them
 * </pre>
 *
 * <p>All of them use package {@code requests}, which knows none of the others.
 */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
