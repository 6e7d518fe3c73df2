package dev.holdfast.guard.aws;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.Deadline;
import dev.holdfast.guard.actuator.HttpCalls;
import dev.holdfast.guard.probe.TrustedCertificates;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;
import software.amazon.awssdk.identity.spi.IdentityProvider;

/**
 * Calls of one AWS service by its query protocol: a signed form goes out, XML comes back. What is said to pass is tried again within
 * the deadline; every action used here may be repeated.
 */
final class AwsQuery {
    private static final int MOST_ATTEMPTS = 6;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final String service;
    private final String version;
    private final String region;
    private final URI endpoint;
    private final IdentityProvider<? extends AwsCredentialsIdentity> identities;
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final HttpCalls calls = new HttpCalls(TrustedCertificates.standard());

    /** Settings {@code region}, {@code endpoint}, {@code access_key_id} and {@code secret_access_key_file}. */
    AwsQuery(String service, String version, ActuatorSettings settings) {
        this.service = service;
        this.version = version;
        region = settings.required("region", "such as eu-central-1");
        if (!region.isEmpty() && !region.matches("[a-z0-9-]{1,40}")) {
            settings.problem("region", "must be a region such as eu-central-1, was '" + region + "'");
        }
        endpoint = settings.optional("endpoint")
                .map(text -> settings.url("endpoint", text))
                .orElseGet(() -> URI.create("https://" + service + "." + region.replaceAll("[^a-z0-9-]", "")
                        + (region.startsWith("cn-") ? ".amazonaws.com.cn/" : ".amazonaws.com/")));
        identities = identities(settings);
    }

    private static IdentityProvider<? extends AwsCredentialsIdentity> identities(ActuatorSettings settings) {
        Optional<String> id = settings.optional("access_key_id");
        Optional<String> secret = settings.secret("secret_access_key");
        if (id.isPresent() != secret.isPresent()) {
            settings.problem(
                    "access_key_id",
                    "and secret_access_key_file belong together; leave both out for the role"
                            + " this server runs under");
        }
        return id.isPresent() && secret.isPresent()
                ? StaticCredentialsProvider.create(AwsBasicCredentials.create(id.get(), secret.get()))
                : DefaultCredentialsProvider.builder().build();
    }

    /** The answer. Throws AwsProblem if AWS said no, ActFailure if it could not be asked. */
    AwsXml call(String action, Map<String, String> parameters, Deadline deadline) throws AwsProblem, ActFailure {
        Map<String, String> form = form(action, parameters);
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            boolean last = attempt == MOST_ATTEMPTS;
            try {
                return once(form, deadline);
            } catch (AwsProblem e) {
                if (last || !e.passing() || deadline.left().compareTo(pause) <= 0) {
                    throw e;
                }
            } catch (IOException e) {
                if (last || deadline.left().compareTo(pause) <= 0) {
                    throw unanswered(action, e);
                }
            }
            deadline.pause(pause);
            pause = FIRST_PAUSE
                    .multipliedBy(1L << attempt)
                    .plusMillis(ThreadLocalRandom.current().nextLong(100));
        }
    }

    /** Sends it a single time. Empty if it was accepted; otherwise what stood in its way and may pass. */
    Optional<ActFailure> attempt(String action, Map<String, String> parameters, String shown, Deadline deadline)
            throws ActFailure {
        try {
            once(form(action, parameters), deadline);
            return Optional.empty();
        } catch (AwsProblem e) {
            ActFailure refused = e.refusal(action, shown);
            if (e.passing()) {
                return Optional.of(refused);
            }
            throw refused;
        } catch (IOException e) {
            return Optional.of(unanswered(action, e));
        }
    }

    /** Sends it a single time; whatever stands in its way is a failure. */
    void sent(String action, Map<String, String> parameters, String shown, Deadline deadline) throws ActFailure {
        Optional<ActFailure> problem = attempt(action, parameters, shown, deadline);
        if (problem.isPresent()) {
            throw problem.get();
        }
    }

    private Map<String, String> form(String action, Map<String, String> parameters) {
        Map<String, String> form = new TreeMap<>(parameters);
        form.put("Action", action);
        form.put("Version", version);
        return form;
    }

    private ActFailure unanswered(String action, IOException problem) {
        String what = action + " got no answer from " + endpoint.getHost() + ": " + problem.getMessage();
        boolean onlyLooked = action.startsWith("Describe");
        return new ActFailure(
                onlyLooked ? what : what + "; whether it was done is not known, and trying again is safe", problem);
    }

    private AwsXml once(Map<String, String> form, Deadline deadline) throws AwsProblem, ActFailure, IOException {
        byte[] body = encoded(form).getBytes(StandardCharsets.US_ASCII);
        HttpRequest.Builder request =
                HttpRequest.newBuilder(endpoint).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        signed(body, deadline).request().forEachHeader((key, values) -> {
            // These two the client writes itself, with the same values.
            if (!key.equalsIgnoreCase("Host") && !key.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> request.header(key, value));
            }
        });
        HttpCalls.Reply reply = calls.send(request, deadline);
        if (reply.good()) {
            return AwsXml.of(reply.body());
        }
        throw problem(reply);
    }

    private static AwsProblem problem(HttpCalls.Reply reply) {
        try {
            AwsXml answer = AwsXml.of(reply.body());
            // EC2 wraps its errors once more than the others do.
            AwsXml error =
                    answer.at("Errors", "Error").or(() -> answer.at("Error")).orElse(answer);
            if (!error.text("Code").isEmpty()) {
                return new AwsProblem(error.text("Code"), error.text("Message"));
            }
        } catch (IOException e) {
            // What came is not from AWS itself; its number says enough.
        }
        String code = reply.code() == 429 || reply.code() >= 500 ? "ServiceUnavailable" : "Refused";
        return new AwsProblem(code, "HTTP " + reply.code());
    }

    private SignedRequest signed(byte[] body, Deadline deadline) throws ActFailure {
        AwsCredentialsIdentity identity = identity(deadline);
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(endpoint)
                .putHeader("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
                .build();
        return signer.sign(sign -> sign.identity(identity)
                .request(request)
                .payload(ContentStreamProvider.fromByteArray(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, service)
                .putProperty(AwsV4HttpSigner.REGION_NAME, region));
    }

    /** Asking for credentials blocks, at times for a server that is not there; the deadline holds for it too. */
    private AwsCredentialsIdentity identity(Deadline deadline) throws ActFailure {
        CompletableFuture<AwsCredentialsIdentity> asked =
                CompletableFuture.supplyAsync(() -> identities.resolveIdentity().join(), work -> {
                    Thread thread = new Thread(work, "holdfast-aws-credentials");
                    thread.setDaemon(true);
                    thread.start();
                });
        try {
            return asked.get(deadline.left().toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new ActFailure("no AWS credentials: " + e.getMessage(), e);
        } catch (TimeoutException e) {
            throw new ActFailure("no AWS credentials were found within the time limit", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ActFailure("interrupted before AWS was asked", e);
        }
    }

    private static String encoded(Map<String, String> form) {
        return form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&")); // names of parameters are plain
    }
}
