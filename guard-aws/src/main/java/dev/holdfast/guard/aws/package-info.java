/**
 * Stopping and starting EC2 instances and RDS databases: the actuators {@code ec2} and {@code rds}, made by {@link
 * dev.holdfast.guard.aws.AwsActuators}. Start reading at {@code FencedAct}, the order in which it is done, and {@code TokenTags}, where the
 * fencing tokens stand. {@code Ec2Actuator} and {@code RdsActuator} say how each service spells it; {@code AwsQuery} sends a call by AWS's query
 * protocol, signed by the AWS SDK's signer, since the SDK's own client for EC2 alone is 20 MB.
 */
@NullMarked
package dev.holdfast.guard.aws;

import org.jspecify.annotations.NullMarked;
