package dev.holdfast.aws;

import dev.holdfast.internal.parts.Causes;
import dev.holdfast.spi.StoreUnavailableException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.http.SdkHttpResponse;

/** What all errors of AWS and of its clients have in common; what they mean to a store, each store says itself. */
public final class AwsFailures {
    private static final Set<String> EXPIRED = Set.of("ExpiredTokenException", "ExpiredToken", "RequestExpired");

    /** Some messages of the SDK tell everything it tried. */
    private static final int MAX_SAID = 200;

    private static final int MAX_CAUSES = 10;

    private AwsFailures() {}

    /** What failed, without what futures wrapped around it. */
    public static Throwable cause(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("neither answer nor failure") : Causes.of(failure);
    }

    /** The first of these among the causes. */
    public static <T extends Throwable> Optional<T> inside(Throwable failure, Class<T> kind) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (kind.isInstance(cause)) {
                return Optional.of(kind.cast(cause));
            }
            cause = cause.getCause();
        }
        return Optional.empty();
    }

    /** The answer that came with the failure, if one did. */
    public static Optional<SdkHttpResponse> answer(Throwable failure) {
        return details(failure).map(AwsErrorDetails::sdkHttpResponse);
    }

    /** Its status; 0 if there was no answer. */
    public static int status(Throwable failure) {
        return cause(failure) instanceof AwsServiceException refused ? refused.statusCode() : 0;
    }

    /** The name AWS gives the error; empty if it gives none. */
    public static String code(Throwable failure) {
        return details(failure).map(AwsErrorDetails::errorCode).orElse("");
    }

    private static Optional<AwsErrorDetails> details(Throwable failure) {
        return cause(failure) instanceof AwsServiceException refused
                ? Optional.ofNullable(refused.awsErrorDetails())
                : Optional.empty();
    }

    /** What the other side said, without what the SDK adds to it. */
    public static String said(Throwable failure) {
        Optional<UnknownHostException> unknown = inside(failure, UnknownHostException.class);
        if (unknown.isPresent()) {
            return "unknown host " + unknown.get().getMessage();
        }
        String message = details(failure)
                .map(details -> code(failure) + " "
                        + Optional.ofNullable(details.errorMessage()).orElse(""))
                .orElse(String.valueOf(failure.getMessage()));
        String line = message.lines()
                .findFirst()
                .orElse("")
                .replaceAll(" \\((SDK|Service).*\\)$", "")
                .strip();
        return line.length() > MAX_SAID ? line.substring(0, MAX_SAID) + "…" : line;
    }

    /** Whether the request cannot have reached anybody: there was no connection to send it on. */
    public static boolean isUnreachable(Throwable failure) {
        return inside(failure, ConnectException.class).isPresent()
                || inside(failure, UnknownHostException.class).isPresent();
    }

    /** Whether this error says that the session of the credentials is over. */
    public static boolean isExpired(String code) {
        return EXPIRED.contains(code);
    }

    /** A session that ended is usually renewed by somebody within minutes, so whoever can waits for it. */
    public static StoreUnavailableException expired(String where, Throwable failure) {
        return new StoreUnavailableException(
                "The session of these AWS credentials has ended, or this machine's clock is wrong: " + where
                        + "; renew the session",
                failure);
    }
}
