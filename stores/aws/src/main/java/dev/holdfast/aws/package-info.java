/**
 * What the stores at AWS share. Public for those modules only; nothing here is for users.
 *
 * <pre>
 *   AwsRequests       sends a request once, keeps the interrupt of the sending thread, names its failure, notes its time
 *     ├─ AwsFailures      what an error of AWS says: its code, its words, whether it was sent at all
 *     └─ DateHeaderClock  the server's time, measured from every answer
 *          └─ ServerTime      where an answer tells it
 *   SingleWrites      a batch where each write is a request of its own; one that fails fails alone
 *   Endpoint          the parameter endpoint of a store's URL
 *   AwsHttpClient     the connections under the SDK's client, closed at once
 *   package documents   heads and contents of documents
 * </pre>
 *
 * <p>Start with {@link dev.holdfast.aws.AwsRequests}.
 */
@NullMarked
package dev.holdfast.aws;

import org.jspecify.annotations.NullMarked;
