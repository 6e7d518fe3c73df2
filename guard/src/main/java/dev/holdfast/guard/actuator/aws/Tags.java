package dev.holdfast.guard.actuator.aws;

import dev.holdfast.guard.actuator.ActFailure;
import java.util.Optional;

/** The token as AWS resources carry it, and AWS's refusals as people should read them. */
final class Tags {
    static final String TOKEN = "holdfast:fencing-token";

    private Tags() {}

    /** The token among the tags, 0 if there is none. */
    static long token(Optional<AwsXml> tags, String item, String key, String value) throws ActFailure {
        if (tags.isEmpty()) {
            return 0;
        }
        for (AwsXml tag : tags.get().all(item)) {
            if (tag.text(key).equals(TOKEN)) {
                String text = tag.text(value);
                if (!text.matches("[0-9]{1,18}")) {
                    throw new ActFailure("the tag " + TOKEN + " is '" + text
                            + "', not a number; remove it when nobody acts on the resource");
                }
                return Long.parseLong(text);
            }
        }
        return 0;
    }

    static ActFailure refused(String action, String shown, AwsProblem problem) {
        String next = switch (problem.code()) {
            case "UnauthorizedOperation", "AccessDenied", "AuthFailure" ->
                "; allow the action for the role this server runs under";
            case "IncorrectInstanceState", "InvalidDBInstanceState", "InvalidDBInstanceStateFault" ->
                "; it is in no state for that now, try again later";
            case "RequestLimitExceeded", "Throttling" -> "; AWS takes no more requests for now, try again later";
            default -> "";
        };
        return new ActFailure(action + " of " + shown + " was refused: " + problem.getMessage() + next, problem);
    }
}
