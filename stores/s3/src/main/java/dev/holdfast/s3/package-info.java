/**
 * Locks in an S3 bucket, for those who have a bucket and nothing else: {@link dev.holdfast.s3.S3Store}. Programs call it, or {@code
 * S3StoreFactory} and {@code S3DocumentFactory} open it by URL. It knows {@code core}, {@code aws} and the SDK; no rule about locks is here.
 *
 * <pre>
 *   S3Store, S3Config   opens a BucketAddress with one of S3Clients
 *   S3RecordStore   read, write, scan
 *     RecordReader    reads a lock                    RecordObject   what is in it
 *     ObjectKeys      which object a lock is          SelfTest       whether the endpoint keeps conditions
 *     LockListing     pages of them                   SmallBody      an answer of limited size
 *     BucketRequests  the requests, each sampled for the server's time and told by what became of it (S3Failures)
 *
 *   S3Documents     documents: S3DocumentWrite, DocumentListing, on DocumentObjects (DocumentObject: head, content, copy for people)
 *   kms             master keys of AWS KMS; neither knows the other
 * </pre>
 */
@NullMarked
package dev.holdfast.s3;

import org.jspecify.annotations.NullMarked;
