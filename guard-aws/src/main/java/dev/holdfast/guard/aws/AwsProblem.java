package dev.holdfast.guard.aws;

/** AWS said no. */
final class AwsProblem extends Exception {
    private final String code;

    AwsProblem(String code, String message) {
        super(message.isEmpty() ? code : code + ": " + message);
        this.code = code;
    }

    /** Such as {@code UnauthorizedOperation}. */
    String code() {
        return code;
    }

    /** Whether the same request may be taken later. */
    boolean passing() {
        return switch (code) {
            case "RequestLimitExceeded",
                    "Throttling",
                    "ThrottlingException",
                    "RequestThrottled",
                    "InternalError",
                    "InternalFailure",
                    "ServiceUnavailable",
                    "Unavailable" -> true;
            default -> false;
        };
    }
}
