/**
 * Locks kept in a DynamoDB table: one item per lock, one conditional request per change.
 *
 * <pre>
 *   DynamoRecordStore ── TableRequests (one request, its failure named, its Date header noted) ── DynamoDbAsyncClient
 *         ├───────────── LockItem, TimeToLive   a record as attributes
 *         ├───────────── ConditionalWrite       a write as UpdateItem or DeleteItem with its condition
 *         ├───────────── OrderedScan            a listing in key order of a table that has none
 *         └───────────── DateClock              DynamoDB's time, from the Date header of every answer
 *   DynamoHistoryStore adds EventTable (reading) and EventWriter (best effort) on a second table
 *   DynamoDocuments: DynamoDocumentWrite (a transaction over heads), DocumentQuery, DocumentItems, on a third table
 *   DynamoSchema makes, shows and removes the tables
 * </pre>
 */
@NullMarked
package dev.holdfast.dynamodb;

import org.jspecify.annotations.NullMarked;
