/**
 * Master keys that AWS KMS keeps: {@code kms:arn:aws:kms:eu-central-1:111122223333:key/…}. The key never leaves KMS; it makes the data
 * keys and opens them again. Encrypted documents call in, by URL. Knows nothing of documents, nor of S3.
 *
 * <pre>
 *   KmsKeyFactory   reads the URL
 *   KmsKey          makes and opens data keys, and remembers some it has opened
 *   KmsCalls        the two calls of KMS, signed here, and what their failures mean
 * </pre>
 */
@NullMarked
package dev.holdfast.s3.kms;

import org.jspecify.annotations.NullMarked;
