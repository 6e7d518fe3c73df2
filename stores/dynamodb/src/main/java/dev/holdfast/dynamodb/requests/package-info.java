/**
 * Requests to DynamoDB: {@link dev.holdfast.dynamodb.requests.TableRequests} sends one, names its failure
 * ({@link dev.holdfast.dynamodb.requests.DynamoFailures}) and notes its time, on a client made by
 * {@link dev.holdfast.dynamodb.requests.DynamoClients}. It knows no item. Public for the other packages of this module only.
 */
@NullMarked
package dev.holdfast.dynamodb.requests;

import org.jspecify.annotations.NullMarked;
