package dev.holdfast.guard.wire;

import dev.holdfast.guard.AppStanding;
import dev.holdfast.guard.Evidence;
import dev.holdfast.guard.GuardAnswer;
import dev.holdfast.guard.GuardDecision;
import dev.holdfast.guard.GuardOutcome;
import dev.holdfast.wire.Rfc3339;
import dev.holdfast.wire.json.Json;
import java.util.Optional;

/** What was decided about resources, and why. */
public final class AnswerJson {
    private AnswerJson() {}

    /** What came of a stop or start, or would have. */
    public static Json.Obj write(GuardAnswer answer, boolean dryRun) {
        return Json.build()
                .with("app", answer.app())
                .with("dry_run", dryRun)
                .with("decisions", Json.array(answer.decisions(), AnswerJson::write))
                .build();
    }

    public static GuardAnswer read(Json json) {
        return new GuardAnswer(Members.text(json, "app"), Members.all(json, "decisions", AnswerJson::readDecision));
    }

    public static Json.Obj write(GuardDecision decision) {
        return Json.build()
                .with("db_identifier", decision.dbIdentifier())
                .with("decision", decision.outcome().label())
                .with("reason", decision.reason())
                .with("evidence", Json.array(decision.evidence(), AnswerJson::evidence))
                .with("app", decision.app())
                .with("decided_at", Rfc3339.text(decision.at()))
                .with("fencing_token", decision.fencingToken())
                .with("recorded_only", decision.recordedOnly())
                .with("act", decision.act().map(AnswerJson::act).orElseGet(Json::nil))
                .build();
    }

    public static GuardDecision readDecision(Json json) {
        return new GuardDecision(
                Members.text(json, "db_identifier"),
                Members.word(json, "decision", GuardOutcome.class),
                Members.text(json, "reason"),
                Members.all(json, "evidence", AnswerJson::readEvidence),
                Members.text(json, "app"),
                Members.time(json, "decided_at"),
                Members.number(json, "fencing_token").orElseThrow(),
                json.at("recorded_only").isTrue(),
                readAct(json.at("act")));
    }

    public static Json act(GuardDecision.Act act) {
        return Json.build()
                .with("failed", act.failed())
                .with("said", act.said())
                .build();
    }

    /** What an actuator said, if it was told anything. */
    public static Optional<GuardDecision.Act> readAct(Json json) {
        return json.isNull()
                ? Optional.empty()
                : Optional.of(new GuardDecision.Act(json.at("failed").isTrue(), Members.text(json, "said")));
    }

    private static Json evidence(Evidence seen) {
        return Json.build()
                .with("app", seen.app())
                .with("status", seen.status())
                .with("http_code", Members.code(seen.httpCode()))
                .with("checked_at", Rfc3339.text(seen.checkedAt()))
                .with("standing", Json.of(seen.standing().map(AppStanding::label)))
                .build();
    }

    public static Evidence readEvidence(Json json) {
        return new Evidence(
                Members.text(json, "app"),
                Members.text(json, "status"),
                Members.integer(json, "http_code"),
                Members.time(json, "checked_at"),
                Members.optionalWord(json, "standing", AppStanding.class));
    }
}
