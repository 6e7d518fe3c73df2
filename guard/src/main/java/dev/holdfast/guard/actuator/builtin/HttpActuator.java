package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.ResourceState;
import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActResult;
import dev.holdfast.guard.actuator.ActTarget;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.BoundedActuator;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.HttpCalls;
import dev.holdfast.guard.actuator.ReadBack;
import dev.holdfast.guard.actuator.StopOrStart;
import dev.holdfast.wire.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tells a webhook to stop or start, and asks it what came of it.
 *
 * <p>{@code POST} to {@code stop_url} or {@code start_url} with {@code {"action","db_identifier","types","fencing_token",
 * "reason"}} and an {@code Idempotency-Key} that is the same for every repeat of the same act. 2xx is accepted; 409 with {@code
 * {"newer_token":N}} says that a newer token has been seen. {@code GET status_url} answers {@code {"state":"running|stopping|
 * stopped|starting"}}.
 */
final class HttpActuator extends BoundedActuator {
    private static final int MOST_ATTEMPTS = 3;

    private final String stopUrl;
    private final String startUrl;
    private final String statusUrl;
    private final Optional<Path> secret;
    private final HttpCalls calls;
    private final ReadBack settling;
    private final TokenGate tokens = new TokenMemory();

    HttpActuator(String name, ActuatorSettings settings) {
        super(name);
        stopUrl = url(settings, "stop_url");
        startUrl = url(settings, "start_url");
        statusUrl = url(settings, "status_url");
        settings.secret("token");
        secret = settings.file("token");
        calls = ActuatorSecrets.calls(settings, Optional.empty());
        settling = ReadBack.from(settings, Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    private static String url(ActuatorSettings settings, String key) {
        String text = settings.required(key, "where to, such as https://ops.example.com/db/{db_identifier}");
        if (!text.isEmpty()) {
            settings.url(key, text.replace("{db_identifier}", "x"));
        }
        return text;
    }

    @Override
    protected ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) throws ActFailure {
        for (int attempt = 1; ; attempt++) {
            // Before each repeat, too: somebody newer may have come while we waited.
            Optional<ActResult> stale = tokens.refusal(target);
            if (stale.isPresent()) {
                return stale.get();
            }
            if (target.dryRun()) {
                return new ActResult.Done(look(target, deadline), "dry run: would tell the webhook to " + aim.verb());
            }
            // Also when it is so already: the other end must learn the token, to refuse older ones from now on.
            HttpRequest.Builder request = request(aim == StopOrStart.STOP ? stopUrl : startUrl, target)
                    .header("Content-Type", "application/json")
                    .header(
                            "Idempotency-Key",
                            "holdfast-" + aim.verb() + "-" + target.fencingToken() + "-" + target.key())
                    .POST(HttpRequest.BodyPublishers.ofString(body(target, aim)));
            boolean last = attempt == MOST_ATTEMPTS || deadline.over();
            try {
                HttpCalls.Reply reply = calls.send(request, deadline);
                if (last || (reply.code() != 429 && reply.code() != 502 && reply.code() != 503)) {
                    return judged(reply, target, aim, deadline);
                }
            } catch (IOException e) {
                if (last || deadline.over()) {
                    throw new ActFailure(
                            "the webhook was told to " + aim.verb() + " '" + target.dbIdentifier() + "', but: "
                                    + e.getMessage() + "; whether it did is not known, and trying again is safe",
                            e);
                }
            }
            deadline.pause(settling.poll());
        }
    }

    private ActResult judged(HttpCalls.Reply reply, ActTarget target, StopOrStart aim, Deadline deadline)
            throws ActFailure {
        if (reply.code() == 409) {
            OptionalLong seen = reply.json().at("newer_token").number();
            if (seen.isPresent()) {
                return new ActResult.Stale(seen.getAsLong());
            }
        }
        if (!reply.good()) {
            return new ActResult.Failed("the webhook refused to " + aim.verb() + " '" + target.dbIdentifier()
                    + "' with HTTP " + reply.code() + said(reply));
        }
        return settling.readBack(aim, "'" + target.dbIdentifier() + "'", () -> look(target, deadline), deadline);
    }

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) throws ActFailure {
        try {
            HttpCalls.Reply reply = calls.send(request(statusUrl, target).GET(), deadline);
            Optional<ResourceState> state = reply.json().at("state").text().flatMap(ResourceState::of);
            if (reply.good() && state.isPresent()) {
                return state.get();
            }
            throw new ActFailure("the webhook's status for '" + target.dbIdentifier() + "' is HTTP " + reply.code()
                    + said(reply) + "; expected {\"state\":\"running|stopping|stopped|starting\"}");
        } catch (IOException e) {
            throw new ActFailure(
                    "the webhook's status for '" + target.dbIdentifier() + "' cannot be read: " + e.getMessage(), e);
        }
    }

    private HttpRequest.Builder request(String url, ActTarget target) throws ActFailure {
        String db =
                URLEncoder.encode(target.dbIdentifier(), StandardCharsets.UTF_8).replace("+", "%20");
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url.replace("{db_identifier}", db)))
                .header("Accept", "application/json")
                .header("Holdfast-Fencing-Token", Long.toString(target.fencingToken()));
        if (secret.isPresent()) {
            request.header("Authorization", "Bearer " + ActuatorSecrets.secret(secret.get()));
        }
        return request;
    }

    private static String body(ActTarget target, StopOrStart aim) {
        Json body = Json.build()
                .with("action", aim.verb())
                .with("db_identifier", target.dbIdentifier())
                .with("types", Json.array(target.types(), Json::of))
                .with("fencing_token", target.fencingToken())
                .with("reason", target.reason())
                .build();
        return new String(body.bytes(), StandardCharsets.UTF_8);
    }

    private static String said(HttpCalls.Reply reply) {
        String body = reply.body().strip();
        return body.isEmpty() ? "" : ": " + body.substring(0, Math.min(300, body.length()));
    }
}
