package dev.holdfast.dynamodb.requests;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** What the errors of DynamoDB and of the way to it mean, and what to do about each. */
public record DynamoFailures(TableAddress place) {
    private static final Set<String> THROTTLED = Set.of(
            "ProvisionedThroughputExceededException",
            "RequestLimitExceeded",
            "ThrottlingException",
            "Throttling",
            "TooManyRequestsException",
            "LimitExceededException");
    /** Refused because of somebody else's transaction, or another region's write, on the same item. */
    private static final Set<String> DISTURBED = Set.of(
            "TransactionConflictException", "TransactionInProgressException", "ReplicatedWriteConflictException");

    private static final Set<String> NO_TABLE = Set.of("ResourceNotFoundException", "TableNotFoundException");
    private static final Set<String> NO_RIGHT = Set.of("AccessDeniedException", "AccessDenied", "NotAuthorized");
    private static final Set<String> NO_ENTRY = Set.of(
            "UnrecognizedClientException",
            "InvalidSignatureException",
            "IncompleteSignatureException",
            "MissingAuthenticationTokenException",
            "MissingAuthenticationToken",
            "InvalidClientTokenId",
            "OptInRequired");
    /** DynamoDB's bound for the sort key of an index, which a lock's name is. */
    public static final int MAX_INDEXED_NAME = 1_024;

    /**
     * The exception for a request that failed so; a refused condition is no failure, and stays the exception it is.
     *
     * @param writes whether the request would have changed something
     */
    RuntimeException of(String doing, Throwable failure, boolean writes) {
        if (failure instanceof StoreException || failure instanceof ConditionalCheckFailedException) {
            return (RuntimeException) failure;
        }
        String where = place + " (while " + doing + ": " + AwsFailures.said(failure) + ")";
        if (failure instanceof AwsServiceException refused) {
            return refused(where, refused, writes);
        }
        if (failure instanceof SdkClientException && isAboutCredentials(failure)) {
            return new StoreUnusableException(
                    "No AWS credentials were found for " + place + " (while " + doing + "); set AWS_ACCESS_KEY_ID and"
                            + " AWS_SECRET_ACCESS_KEY (or LOCKER_DYNAMODB_ACCESSKEYID and"
                            + " LOCKER_DYNAMODB_SECRETACCESSKEY for the server), a profile, or a role",
                    failure);
        }
        if (AwsFailures.isUnreachable(failure)) {
            return new StoreUnavailableException(
                    "Cannot reach " + where + "; check region, endpoint and network", failure);
        }
        return unclear(where, failure, writes);
    }

    private StoreException refused(String where, AwsServiceException refused, boolean writes) {
        String code = AwsFailures.code(refused);
        if (THROTTLED.contains(code)) {
            return new StoreUnavailableException(
                    "DynamoDB takes no more requests for now: " + where
                            + "; if it lasts, raise the capacity or switch to on-demand",
                    refused);
        }
        if (DISTURBED.contains(code)) {
            return new StoreUnavailableException("Somebody else is writing the same item of " + where, refused);
        }
        if (refused.statusCode() >= 500) {
            return unclear(where, refused, writes);
        }
        if (NO_TABLE.contains(code)) {
            return noTable(refused);
        }
        if (NO_RIGHT.contains(code)) {
            return new StoreUnusableException(
                    "These credentials may not do that in " + where
                            + "; the policy that is needed is in docs/stores/dynamodb.md",
                    refused);
        }
        if (NO_ENTRY.contains(code)) {
            return new StoreUnusableException(
                    "AWS does not know these credentials, or not for this region: " + where
                            + "; check access key, secret, session token and region",
                    refused);
        }
        if (AwsFailures.isExpired(code)) {
            return AwsFailures.expired(where, refused);
        }
        if (isTooLarge(refused)) {
            return new StoreUnusableException(
                    "Something is too large for " + where
                            + "; where the table has an index for listings, the name of a lock may have" + " at most "
                            + MAX_INDEXED_NAME + " bytes",
                    refused);
        }
        return new StoreUnusableException(
                "DynamoDB refuses what was asked of " + where + "; is it a table of Holdfast? See: " + place.migrate(),
                refused);
    }

    public StoreUnusableException noTable(@Nullable Throwable cause) {
        return new StoreUnusableException(
                "There is no " + place + "; make it with: " + place.migrate()
                        + ", or correct region, table and account",
                cause);
    }

    private static StoreException unclear(String where, Throwable failure, boolean writes) {
        return writes
                ? new OutcomeUnknownException(
                        "No clear answer from " + where + "; the change may or may not have been made", failure)
                : new StoreUnavailableException("No answer from " + where, failure);
    }

    /** DynamoDB has no code for it. */
    private static boolean isTooLarge(AwsServiceException refused) {
        return String.valueOf(refused.getMessage())
                .toLowerCase(Locale.ROOT)
                .matches("(?s).*(size limit|limit exceeded|exceeded the (maximum )?size|size has exceeded).*");
    }

    private static boolean isAboutCredentials(Throwable failure) {
        return String.valueOf(failure.getMessage()).contains("load credentials");
    }
}
