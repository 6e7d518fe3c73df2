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
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scales a Deployment or StatefulSet to nothing and back to what it was.
 *
 * <p>The new number, the fencing token and the old number are one patch of the version that was read; if anybody changed the object
 * in between, it is read and judged again. So an older token cannot undo what a newer one did, at no point in time.
 *
 * <p>Inside a cluster the service account's token and certificate are found where Kubernetes puts them.
 */
final class KubernetesActuator extends BoundedActuator {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesActuator.class);
    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final int MOST_ATTEMPTS = 10;
    private static final int MOST_REPLICAS = 10_000;

    private final URI server;
    private final Path secret;
    private final HttpCalls calls;
    private final ReadBack settling;
    private final long replicas;
    private final Map<String, String> standard = new HashMap<>();

    KubernetesActuator(String name, ActuatorSettings settings) {
        super(name);
        server = settings.url("api_server", settings.optional("api_server").orElse("https://kubernetes.default.svc"));
        settings.secret("token");
        secret = settings.file("token").orElse(ACCOUNT.resolve("token"));
        calls = ActuatorSecrets.calls(
                settings, Optional.of(ACCOUNT.resolve("ca.crt")).filter(Files::isReadable));
        settling = ReadBack.from(settings, Duration.ofSeconds(1), Duration.ofSeconds(10));
        replicas = replicas(settings);
        for (String key : new String[] {"namespace", "kind", "name"}) {
            settings.optional(key).ifPresent(value -> {
                if (key.equals("kind") ? !Workload.validKind(value) : !Workload.validName(value)) {
                    settings.problem(key, "is not valid: '" + value + "'");
                }
                standard.put(key, value);
            });
        }
    }

    private static long replicas(ActuatorSettings settings) {
        String text = settings.optional("replicas").orElse("1");
        long count = text.matches("[0-9]{1,5}") ? Long.parseLong(text) : 0;
        if (count < 1 || count > MOST_REPLICAS) {
            settings.problem("replicas", "must be a number from 1 to " + MOST_REPLICAS + ", was '" + text + "'");
        }
        return count;
    }

    @Override
    protected ResourceState look(ActTarget target, Deadline deadline) throws ActFailure {
        return look(Workload.of(target, standard), deadline).state();
    }

    @Override
    protected ActResult act(ActTarget target, StopOrStart aim, Deadline deadline) throws ActFailure {
        Workload workload = Workload.of(target, standard);
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            WorkloadState seen = look(workload, deadline);
            if (seen.token() > target.fencingToken()) {
                return new ActResult.Stale(seen.token());
            }
            if (target.dryRun()) {
                return new ActResult.Done(seen.state(), "dry run: would " + aim.verb() + " " + workload.shown());
            }
            if (seen.written(aim, target.fencingToken())
                    || patched(workload, seen.patch(aim, target.fencingToken(), replicas), deadline)) {
                return settling.readBack(
                        aim, workload.shown(), () -> look(workload, deadline).state(), deadline);
            }
            deadline.pause(pause(attempt));
        }
        return new ActResult.Failed(workload.shown() + " was changed by others " + MOST_ATTEMPTS
                + " times while it was to be scaled; nothing was done, try again");
    }

    /** False if the object should be read again: it has changed, or whether the patch was applied is not known. */
    private boolean patched(Workload workload, String patch, Deadline deadline) throws ActFailure {
        try {
            HttpCalls.Reply reply = calls.send(
                    request(workload)
                            .header("Content-Type", "application/merge-patch+json")
                            .method("PATCH", HttpRequest.BodyPublishers.ofString(patch)),
                    deadline);
            if (reply.good()) {
                return true;
            }
            if (reply.code() == 409 || reply.code() == 429 || reply.code() >= 500) {
                LOG.debug("{}: HTTP {}, reading it again", workload.shown(), reply.code());
                return false;
            }
            throw refused(workload, reply, "patch");
        } catch (IOException e) {
            if (deadline.over()) {
                throw new ActFailure(
                        "the API server did not answer in time when told to scale " + workload.shown()
                                + "; whether it did is not known, and trying again is safe",
                        e);
            }
            return false;
        }
    }

    private WorkloadState look(Workload workload, Deadline deadline) throws ActFailure {
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == MOST_ATTEMPTS;
            try {
                HttpCalls.Reply reply = calls.send(request(workload).GET(), deadline);
                if (reply.good()) {
                    return WorkloadState.of(reply.json(), workload);
                }
                if (last || (reply.code() != 429 && reply.code() < 500)) {
                    throw refused(workload, reply, "get");
                }
            } catch (IOException e) {
                if (last || deadline.over()) {
                    throw new ActFailure(
                            "the API server could not be asked about " + workload.shown() + ": " + e.getMessage(), e);
                }
            }
            deadline.pause(pause(attempt));
        }
    }

    private static Duration pause(int attempt) {
        return Duration.ofMillis(20L << Math.min(attempt, 3));
    }

    private HttpRequest.Builder request(Workload workload) throws ActFailure {
        String base = server.toString().replaceAll("/+$", "");
        return HttpRequest.newBuilder(URI.create(base + workload.path()))
                .header("Accept", "application/json")
                .header("Authorization", "Bearer " + ActuatorSecrets.secret(secret));
    }

    private static ActFailure refused(Workload workload, HttpCalls.Reply reply, String verb) {
        String what = switch (reply.code()) {
            case 401 -> "the API server does not accept the service account's token";
            case 403 ->
                "the service account may not " + verb + " " + workload.plural() + " in namespace '"
                        + workload.namespace() + "'; give it a Role with get and patch";
            case 404 -> "there is no " + workload.shown();
            default -> "the API server refused to " + verb + " " + workload.shown();
        };
        String said = reply.json().at("message").text().map(text -> ": " + text).orElse("");
        return new ActFailure(what + " (HTTP " + reply.code() + said + ")");
    }
}
