package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.ActFailure;

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

    /** As people should read it. */
    ActFailure refusal(String action, String shown) {
        String next = switch (code) {
            case "UnauthorizedOperation", "AccessDenied", "AuthFailure" ->
                "; allow the action for the role this server runs under";
            case "IncorrectInstanceState", "InvalidDBInstanceState", "InvalidDBInstanceStateFault" ->
                "; its present state does not allow that, try again later";
            case "RequestLimitExceeded", "Throttling" -> "; AWS takes no more requests for now, try again later";
            case "TagLimitExceeded" -> "; remove a tag that nobody needs: two must be free for fencing tokens";
            default -> "";
        };
        return new ActFailure(action + " of " + shown + " was refused: " + getMessage() + next, this);
    }
}
