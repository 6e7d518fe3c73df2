package dev.holdfast.s3;

import dev.holdfast.aws.AwsFailures;
import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;

/** What the errors of S3 and of its client mean, and what to do about each. */
record S3Failures(BucketAddress place) {
    static final int PRECONDITION_FAILED = 412;
    static final int NOT_FOUND = 404;
    static final int CONFLICT = 409;
    private static final int FORBIDDEN = 403;
    private static final int TOO_MANY = 429;

    /** Answers of S3 itself that it gives before it does anything. */
    private static final Set<String> NOT_BEGUN = Set.of(
            "SlowDown",
            "ServiceUnavailable",
            "RequestTimeout",
            "ThrottlingException",
            "Throttling",
            "TooManyRequests",
            "RequestLimitExceeded",
            "BandwidthLimitExceeded");

    private static final Set<String> ELSEWHERE = Set.of(
            "PermanentRedirect",
            "TemporaryRedirect",
            "AuthorizationHeaderMalformed",
            "IllegalLocationConstraintException");

    /** Whether the answer says that there is no such object; that there is no such bucket is another matter. */
    static boolean isNoSuchObject(Throwable failure) {
        return AwsFailures.status(failure) == NOT_FOUND
                && !AwsFailures.code(failure).equals("NoSuchBucket");
    }

    StoreException of(String doing, Throwable failure, boolean changes) {
        if (failure instanceof StoreException told) {
            return told;
        }
        String where = place.shown() + " (while " + doing + ": " + AwsFailures.said(failure) + ")";
        StoreException told =
                failure instanceof AwsServiceException refused ? answered(where, refused) : unanswered(where, failure);
        return told instanceof OutcomeUnknownException && !changes
                ? new StoreUnavailableException(String.valueOf(told.getMessage()), failure)
                : told;
    }

    private StoreException answered(String where, AwsServiceException told) {
        String code = AwsFailures.code(told);
        int status = told.statusCode();
        if (code.equals("NoSuchBucket")) {
            return new StoreUnusableException(
                    "There is no bucket '" + place.bucket() + "': " + where + "; create it, or correct the name", told);
        }
        if (ELSEWHERE.contains(code) || status == 301 || status == 307) {
            return elsewhere(where, told);
        }
        if (code.equals("RequestTimeTooSkewed")) {
            return new StoreUnusableException(
                    "This machine's clock is too far from S3's: " + where + "; set it (NTP)", told);
        }
        if (AwsFailures.isExpired(code)) {
            return AwsFailures.expired(where, told);
        }
        if (code.equals("InvalidAccessKeyId") || code.equals("SignatureDoesNotMatch") || code.contains("Token")) {
            return new StoreUnusableException(
                    "S3 does not accept the credentials for " + where
                            + "; check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, the profile, or the role",
                    told);
        }
        if (status == FORBIDDEN || status == 401) {
            return new StoreUnusableException(
                    "Access is denied to " + where + "; allow s3:GetObject, s3:PutObject and s3:DeleteObject on "
                            + "arn:aws:s3:::" + place.bucket() + "/" + place.prefix()
                            + "* and s3:ListBucket on arn:aws:s3:::"
                            + place.bucket() + " (and the key's use, if the bucket is encrypted with one of KMS)",
                    told);
        }
        if (status == CONFLICT) {
            return new StoreUnavailableException("Another request for the same object was under way at " + where, told);
        }
        if (NOT_BEGUN.contains(code) || status == TOO_MANY) {
            return new StoreUnavailableException("S3 asks us to slow down: " + where, told);
        }
        if (status >= 500) {
            return new OutcomeUnknownException("S3 failed in the middle of a request to " + where, told);
        }
        return new StoreUnusableException("S3 refused a request to " + where, told);
    }

    private StoreException elsewhere(String where, AwsServiceException told) {
        String region = AwsFailures.answer(told)
                .flatMap(answer -> answer.firstMatchingHeader("x-amz-bucket-region"))
                .map(name -> "region '" + name + "'; add region=" + name + " to the URL, or set AWS_REGION=" + name)
                .orElse("another region; add region=… to the URL, or set AWS_REGION");
        return new StoreUnusableException("Bucket '" + place.bucket() + "' is in " + region + ": " + where, told);
    }

    private StoreException unanswered(String where, Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        if (message.contains("Unable to load credentials") || message.contains("credentials")) {
            return new StoreUnusableException(
                    "There are no credentials for " + place.shown()
                            + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY,"
                            + " AWS_PROFILE, or give the machine a role",
                    cause);
        }
        if (AwsFailures.isUnreachable(cause)) {
            return new StoreUnavailableException(
                    "Cannot reach " + where + "; check the endpoint, the region and the network", cause);
        }
        return new OutcomeUnknownException(
                "No answer from " + where + "; check the endpoint, the region and the network", cause);
    }
}
