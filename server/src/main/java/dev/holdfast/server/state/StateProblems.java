package dev.holdfast.server.state;

import dev.holdfast.server.http.Problem;
import dev.holdfast.state.document.StateInvalidException;
import dev.holdfast.state.terraform.LockDeniedException;
import dev.holdfast.state.versions.Stack;
import dev.holdfast.state.versions.StateCorruptException;
import dev.holdfast.state.versions.StateRefusal;
import dev.holdfast.state.versions.StateTooLargeException;
import dev.holdfast.state.wire.StateJson;
import dev.holdfast.wire.json.JsonText;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** How refusals and failures about state are told. */
final class StateProblems {
    private StateProblems() {}

    /** A failure of the library as what its caller hears; anything else as it is. */
    static RuntimeException told(RuntimeException failure) {
        if (failure instanceof StateCorruptException corrupt) {
            Problem problem = Problem.of(500, "state-corrupt", String.valueOf(corrupt.getMessage()))
                    .with("version", corrupt.version());
            return corrupt.lastGood()
                    .map(good -> problem.with("last_good", good))
                    .orElse(problem)
                    .refused();
        }
        if (failure instanceof StateTooLargeException tooLarge) {
            return Problem.refusal(413, "body-too-large", String.valueOf(tooLarge.getMessage()));
        }
        if (failure instanceof StateInvalidException invalid) {
            return Problem.refusal(400, "invalid-state", String.valueOf(invalid.getMessage()));
        }
        return failure instanceof LockDeniedException denied ? denied(denied) : failure;
    }

    private static Problem.Refused denied(LockDeniedException denied) {
        String message = String.valueOf(denied.getMessage());
        return switch (denied.reason()) {
            case NOT_AN_ID ->
                Problem.of(409, "state-refused", message)
                        .with("reason", StateRefusal.Reason.NOT_HELD.label())
                        .refused();
            case NOT_YOURS -> Problem.refusal(403, "not-yours", message);
            case VERSION_NEEDED -> Problem.refusal(428, "version-needed", message);
            case NOT_A_PART -> Problem.invalid(message);
            case FORCE_DENIED -> Problem.refusal(403, "force-unlock-denied", message);
            case NOT_STALE -> Problem.refusal(409, "not-stale", message);
        };
    }

    static Problem.Refused notSaved(StateRefusal why, Optional<byte[]> holder) {
        return locked(Problem.of(409, "state-refused", why.message()), why, holder);
    }

    /** Not locked, since the stack cannot be claimed. All that terraform shows of a 409 is its {@code ID}. */
    static Problem.Refused notClaimed(StateRefusal why) {
        Problem problem = Problem.of(409, "state-refused", why.message()).with("ID", "none. " + why.message());
        return locked(problem, why, Optional.empty());
    }

    /** Not unlocked: the ID is another. */
    static Problem.Refused notUnlocked(StateRefusal why, Optional<byte[]> holder) {
        return locked(Problem.of(409, "not-locked", why.message()), why, holder);
    }

    /** Not done, because the stack is locked; because somebody saved meanwhile; or because the lock that was meant, or taken for it, is lost. */
    static Problem.Refused notDone(StateRefusal why, Optional<byte[]> holder) {
        boolean lost = why.reason() == StateRefusal.Reason.NOT_HELD && holder.isEmpty();
        boolean overtaken = why.reason() == StateRefusal.Reason.FENCED || why.reason() == StateRefusal.Reason.CONFLICT;
        return lost || overtaken
                ? locked(Problem.of(409, "state-refused", why.message()), why, holder)
                : locked(Problem.of(423, "state-locked", why.message()), why, holder);
    }

    private static Problem.Refused locked(Problem problem, StateRefusal why, Optional<byte[]> holder) {
        Problem reasoned = problem.with("reason", why.reason().label());
        for (Map.Entry<String, JsonText.Part> member : StateJson.refusal(why).entrySet()) {
            reasoned = reasoned.with(member.getKey(), member.getValue());
        }
        return (holder.isEmpty() ? reasoned : reasoned.with("lock", raw(holder.get()))).refused();
    }

    private static JsonText.Part raw(byte[] lockInfo) {
        return json -> json.writeRawValue(new String(lockInfo, StandardCharsets.UTF_8));
    }

    static Problem.Refused noState(Stack stack) {
        return Problem.refusal(
                404, "not-found", "There is no state of stack '" + stack.name() + "' in '" + stack.environment() + "'");
    }

    static Problem.Refused noVersion(Stack stack, String version) {
        return Problem.refusal(
                404,
                "not-found",
                "There is no version '" + version + "' of the state of stack '" + stack.name() + "' in '"
                        + stack.environment() + "'. See GET /state/" + stack.name() + "/" + stack.environment()
                        + "/history");
    }
}
