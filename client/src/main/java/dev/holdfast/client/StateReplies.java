package dev.holdfast.client;

import dev.holdfast.spi.OutcomeUnknownException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.wire.StateJson;
import java.util.List;

/** What answers about state mean: done, refused, or a failure that is thrown as in a process of its own. */
final class StateReplies {
    private static final String NO_ANSWER =
            "the answer is not that of a Holdfast server. Check the address, and whether a"
                    + " proxy before it asks for a login";

    private StateReplies() {}

    static boolean isDone(ServerReply reply) {
        return reply.status() < 300;
    }

    /**
     * An answer about the document, or a refusal with one of these statuses; what cannot be read or kept is thrown as in a process of its
     * own.
     */
    static ServerReply checked(Stack stack, ServerReply reply, Integer... refusals) {
        if (reply.status() == 500) {
            throw new StateCorruptException(
                    stack,
                    reply.body().text("version").orElse(""),
                    reply.body().text("last_good"),
                    reply.problem().detail());
        }
        return checked(reply, refusals);
    }

    /** The same where it is about no certain stack. Whatever else is answered says nothing about any, least of all that there is none. */
    static ServerReply checked(ServerReply reply, Integer... refusals) {
        String code = reply.problem().code();
        String detail = reply.problem().detail();
        if (code.equals("too-many-stacks")) {
            throw new StoreUnusableException(detail, null);
        }
        if (isForeign(reply)) {
            throw new StoreUnusableException(NO_ANSWER, null);
        }
        if (isDone(reply) || List.of(refusals).contains(reply.status())) {
            return reply;
        }
        throw switch (reply.status()) {
            case 400, 413 ->
                code.equals("invalid-request")
                        ? new IllegalArgumentException(detail)
                        : new StateInvalidException(detail);
            case 422, 428 -> new IllegalArgumentException(detail);
            case 429 -> new StoreUnavailableException(detail, null);
            default ->
                new StoreUnusableException(
                        "the server answered " + reply.status() + ", which this version does not expect: " + detail
                                + ". Is this a Holdfast server, of this version or newer?",
                        null);
        };
    }

    static StateRefusal refused(ServerReply reply, StateRefusal.Reason usual, Stack stack, String what) {
        if (reply.status() == 404) {
            throw new StoreUnusableException("the server knows no " + name(stack) + " to act on", null);
        }
        return StateJson.refused(
                stack,
                reply.body(),
                reply.status() == 423 ? StateRefusal.Reason.LOCKED : usual,
                "State of stack '" + stack.name() + "' in '" + stack.environment() + "' " + what);
    }

    /** A page of whatever stands before the server. */
    private static boolean isForeign(ServerReply reply) {
        return isDone(reply) && !reply.isJson();
    }

    /** A refusal of a repetition tells nothing about the first try, whose answer was lost, unless it is about what was sent both times. */
    static void certain(ServerReply reply, String what) {
        if (isForeign(reply)) {
            throw new OutcomeUnknownException("It is not known whether " + what + " was made: " + NO_ANSWER, null);
        }
        boolean sameForBoth = List.of(400, 413, 422, 428).contains(reply.status());
        if (reply.doubted() && !isDone(reply) && !sameForBoth) {
            throw new OutcomeUnknownException(
                    "It is not known whether " + what
                            + " was made: the first answer was lost, and the repetition was refused ("
                            + reply.problem().detail()
                            + "). Look at the history",
                    null);
        }
    }

    static String name(Stack stack) {
        return "state of stack '" + stack.name() + "' in '" + stack.environment() + "'";
    }
}
