/**
 * Master keys that AWS KMS keeps: {@code kms:arn:aws:kms:eu-central-1:111122223333:key/…}. The key never leaves KMS; it makes the data
 * keys and opens them again. Knows nothing of documents, nor of S3.
 */
@NullMarked
package dev.holdfast.s3.kms;

import org.jspecify.annotations.NullMarked;
