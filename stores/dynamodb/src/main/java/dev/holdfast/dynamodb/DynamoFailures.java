package dev.holdfast.dynamodb;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkClientException;

/** What the errors of DynamoDB and of the way to it mean, and what to do about each. */
final class DynamoFailures {
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
    private static final Set<String> EXPIRED = Set.of("ExpiredTokenException", "ExpiredToken", "RequestExpired");

    /** Some messages of the SDK tell everything it tried. */
    private static final int MAX_SAID = 200;

    private final Place place;

    DynamoFailures(Place place) {
        this.place = place;
    }

    /**
     * The exception for a request that failed so.
     *
     * @param writes whether the request would have changed something
     */
    StoreException of(String doing, Throwable failure, boolean writes) {
        if (failure instanceof StoreException known) {
            return known;
        }
        String where = place + " (while " + doing + ": " + said(failure) + ")";
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
        if (neverLeft(failure)) {
            return new StoreUnavailableException(
                    "Cannot reach " + where + "; check region, endpoint and network", failure);
        }
        return unclear(where, failure, writes);
    }

    private StoreException refused(String where, AwsServiceException refused, boolean writes) {
        String code = code(refused);
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
        if (EXPIRED.contains(code)) {
            return new StoreUnavailableException(
                    "The session of these AWS credentials has ended, or this machine's clock is wrong: " + where
                            + "; renew the session",
                    refused);
        }
        if (isTooLarge(refused)) {
            return new StoreUnusableException(
                    "Something is too large for " + where
                            + "; where the table has an index for listings, the name of a lock may have" + " at most "
                            + IndexMaker.MAX_NAME_BYTES + " bytes",
                    refused);
        }
        return new StoreUnusableException(
                "DynamoDB refuses what was asked of " + where + "; is the table one of Holdfast? See: "
                        + place.migrate(),
                refused);
    }

    /** The table is not there. */
    StoreUnusableException noTable(@Nullable Throwable cause) {
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

    static String code(AwsServiceException refused) {
        String code = refused.awsErrorDetails() == null
                ? null
                : refused.awsErrorDetails().errorCode();
        return code == null ? "" : code;
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

    /** Whether the request cannot have reached anybody: there was no connection to send it on. */
    private static boolean neverLeft(Throwable failure) {
        return inside(failure, IOException.class)
                .filter(first -> first instanceof ConnectException || first instanceof UnknownHostException)
                .isPresent();
    }

    /** The first of these among the causes. */
    private static <T extends Throwable> Optional<T> inside(Throwable failure, Class<T> kind) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < 10; depth++) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /** What the other side said, without what the SDK adds to it. */
    private static String said(Throwable failure) {
        Optional<UnknownHostException> unknown = inside(failure, UnknownHostException.class);
        if (unknown.isPresent()) {
            return "unknown host " + unknown.get().getMessage();
        }
        String message = failure instanceof AwsServiceException refused && refused.awsErrorDetails() != null
                ? code(refused) + " " + refused.awsErrorDetails().errorMessage()
                : String.valueOf(failure.getMessage());
        String line = message.lines().findFirst().orElse("").replaceAll(" \\((SDK|Service).*\\)$", "");
        return line.length() > MAX_SAID ? line.substring(0, MAX_SAID) + "…" : line;
    }
}
