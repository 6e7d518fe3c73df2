/**
 * Locks in an S3 bucket, for those who have a bucket and nothing else: {@link dev.holdfast.s3.S3Store}.
 *
 * <pre>
 *   S3RecordStore   read, write, scan
 *     ObjectKeys      which object a lock is          RecordObject   what is in it
 *     LockListing     pages of them                   SelfTest       whether the endpoint keeps conditions
 *     BucketRequests  the requests, each sampled for the server's time and told by what became of it (S3Failures)
 *
 *   S3Documents     documents: S3DocumentWrite, DocumentListing, on DocumentObjects (head, content, copy for people)
 * </pre>
 */
@NullMarked
package dev.holdfast.s3;

import org.jspecify.annotations.NullMarked;
