package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.ActFailure;

/** AWS's refusals as people should read them. */
final class AwsRefusals {
    private AwsRefusals() {}

    static ActFailure of(String action, String shown, AwsProblem problem) {
        String next = switch (problem.code()) {
            case "UnauthorizedOperation", "AccessDenied", "AuthFailure" ->
                "; allow the action for the role this server runs under";
            case "IncorrectInstanceState", "InvalidDBInstanceState", "InvalidDBInstanceStateFault" ->
                "; it is in no state for that now, try again later";
            case "RequestLimitExceeded", "Throttling" -> "; AWS takes no more requests for now, try again later";
            case "TagLimitExceeded" -> "; remove a tag that nobody needs: two must be free for fencing tokens";
            default -> "";
        };
        return new ActFailure(action + " of " + shown + " was refused: " + problem.getMessage() + next, problem);
    }
}
