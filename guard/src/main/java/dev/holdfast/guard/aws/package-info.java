/** Stopping and starting EC2 instances and RDS databases with AWS's query protocol, signed by the AWS SDK's signer. */
@NullMarked
package dev.holdfast.guard.aws;

import org.jspecify.annotations.NullMarked;
