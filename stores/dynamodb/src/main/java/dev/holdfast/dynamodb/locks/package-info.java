/**
 * The table of locks and the table of events. Start with {@link dev.holdfast.dynamodb.locks.DynamoRecordStore}.
 *
 * <pre>
 *   DynamoRecordStore
 *     ├─ LockItem, TimeToLive, ItemAttributes  a record as attributes, and when DynamoDB may remove it
 *     ├─ CentralItem, CentralHold              items that LockServiceCentral wrote
 *     ├─ ConditionalWrite                      a write as UpdateItem or DeleteItem with its condition
 *     └─ Listings: ListingPage, ListingFilter  from the index, or from the whole table
 *   DynamoHistoryStore adds EventWriter (best effort), EventReader, EventImport, with EventItem
 * </pre>
 *
 * <p>Public for the other packages of this module only.
 */
@NullMarked
package dev.holdfast.dynamodb.locks;

import org.jspecify.annotations.NullMarked;
