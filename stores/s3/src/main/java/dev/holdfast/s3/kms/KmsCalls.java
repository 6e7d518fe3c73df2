package dev.holdfast.s3.kms;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.aws.AwsFailures;
import dev.holdfast.documents.keys.DataKey;
import dev.holdfast.documents.keys.WrongKeyException;
import dev.holdfast.spi.StoreException;
import dev.holdfast.spi.StoreUnavailableException;
import dev.holdfast.spi.StoreUnusableException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.identity.spi.AwsCredentialsIdentity;

/**
 * The two calls of KMS that are needed, as signed JSON. Who we are is found as every AWS tool finds it: environment, profile, role.
 * What is said to pass is tried again; both may be repeated.
 */
final class KmsCalls {
    private static final int MOST_ATTEMPTS = 4;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(3);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
    /** Answers are a few hundred bytes. */
    private static final int MAX_ANSWER = 100_000;

    private static final Set<String> PASSING = Set.of(
            "ThrottlingException", "LimitExceededException", "KMSInternalException", "DependencyTimeoutException", "");
    /** It is under another key, or damaged. */
    private static final Set<String> WRONG = Set.of("InvalidCiphertextException", "IncorrectKeyException");

    private static final JsonFactory JSON = new JsonFactory();

    private final URI endpoint;
    private final String region;
    private final String arn;
    private final DefaultCredentialsProvider identities =
            DefaultCredentialsProvider.builder().build();
    private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT_TIMEOUT)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    KmsCalls(URI endpoint, String region, String arn) {
        this.endpoint = endpoint;
        this.region = region;
        this.arn = arn;
    }

    DataKey generateDataKey() {
        try {
            Map<String, String> answer = call("GenerateDataKey", Map.of("KeySpec", "AES_256"));
            return new DataKey(bytes(answer, "Plaintext"), bytes(answer, "CiphertextBlob"));
        } catch (KmsRefusal e) {
            throw unusable("GenerateDataKey", e);
        }
    }

    byte[] decrypt(byte[] wrapped) throws WrongKeyException {
        try {
            String blob = Base64.getEncoder().encodeToString(wrapped);
            byte[] key = bytes(call("Decrypt", Map.of("CiphertextBlob", blob)), "Plaintext");
            if (key.length != DataKey.BYTES) {
                throw new StoreUnusableException("KMS gave a key of " + key.length + " bytes; look at " + arn, null);
            }
            return key;
        } catch (KmsRefusal e) {
            if (WRONG.contains(e.code)) {
                throw new WrongKeyException("KMS does not find its data key under " + arn, e);
            }
            throw unusable("Decrypt", e);
        }
    }

    private StoreException unusable(String action, KmsRefusal refused) {
        if (AwsFailures.isExpired(refused.code)) {
            return AwsFailures.expired("KMS key " + arn + " (while doing kms:" + action + ")", refused);
        }
        return new StoreUnusableException(
                "KMS refuses kms:" + action + " with " + arn + ": " + refused.getMessage()
                        + "; look at the policy of the key and at the role of this process. Nothing was changed",
                refused);
    }

    /** KMS said no. */
    private static final class KmsRefusal extends Exception {
        private static final long serialVersionUID = 1;
        private final String code;

        KmsRefusal(String code, String message) {
            super(message.isEmpty() ? code : code + ": " + message);
            this.code = code;
        }
    }

    private Map<String, String> call(String action, Map<String, String> fields) throws KmsRefusal {
        byte[] body = body(fields);
        Duration pause = FIRST_PAUSE;
        for (int attempt = 1; ; attempt++) {
            String problem;
            try {
                HttpResponse<byte[]> response = send(action, body);
                if (response.statusCode() == 200) {
                    return fields(response.body());
                }
                KmsRefusal refused = refused(response);
                if (!PASSING.contains(refused.code) && response.statusCode() < 500) {
                    throw refused;
                }
                problem = refused.getMessage();
            } catch (IOException e) {
                problem = e.toString();
            }
            if (attempt == MOST_ATTEMPTS) {
                throw new StoreUnavailableException(
                        "KMS at " + endpoint.getHost() + " does not do kms:" + action + " with " + arn + ": " + problem
                                + ". Nothing was changed; try again",
                        null);
            }
            sleep(pause);
            pause = pause.multipliedBy(2);
        }
    }

    /** KMS logs the context, and policies may ask for it. */
    private byte[] body(Map<String, String> fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("KeyId", arn);
            for (Map.Entry<String, String> field : fields.entrySet()) {
                json.writeStringField(field.getKey(), field.getValue());
            }
            json.writeObjectFieldStart("EncryptionContext");
            json.writeStringField("application", "holdfast");
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("memory can always be written to", e);
        }
        return out.toByteArray();
    }

    private HttpResponse<byte[]> send(String action, byte[] body) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint)
                .timeout(REQUEST_TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        signed(action, body).request().forEachHeader((key, values) -> {
            // These two the client writes itself, with the same values.
            if (!key.equalsIgnoreCase("Host") && !key.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> request.header(key, value));
            }
        });
        try {
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (response.body().length > MAX_ANSWER) {
                throw new IOException("an answer of " + response.body().length + " bytes is not from KMS");
            }
            return response;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private SignedRequest signed(String action, byte[] body) {
        AwsCredentialsIdentity identity;
        try {
            identity = identities.resolveCredentials();
        } catch (SdkClientException e) {
            throw new StoreUnusableException(
                    "No AWS credentials were found to use " + arn
                            + " with; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, AWS_PROFILE, or give the machine a"
                            + " role. Nothing was changed",
                    e);
        }
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.POST)
                .uri(endpoint)
                .putHeader("Content-Type", "application/x-amz-json-1.1")
                .putHeader("X-Amz-Target", "TrentService." + action)
                .build();
        return signer.sign(sign -> sign.identity(identity)
                .request(request)
                .payload(ContentStreamProvider.fromByteArray(body))
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "kms")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region));
    }

    private static KmsRefusal refused(HttpResponse<byte[]> response) {
        try {
            Map<String, String> error = fields(response.body());
            String type = error.getOrDefault("__type", "");
            String code = type.substring(type.lastIndexOf('#') + 1);
            return new KmsRefusal(
                    code,
                    error.getOrDefault("message", error.getOrDefault("Message", "HTTP " + response.statusCode())));
        } catch (IOException e) {
            return new KmsRefusal("", "HTTP " + response.statusCode());
        }
    }

    /** The texts at the top of an answer. */
    private static Map<String, String> fields(byte[] body) throws IOException {
        Map<String, String> fields = new HashMap<>();
        try (JsonParser parser = JSON.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("an answer that is not a JSON object");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                if (parser.nextToken() == JsonToken.VALUE_STRING) {
                    fields.put(name, parser.getText());
                } else {
                    parser.skipChildren();
                }
            }
        }
        return fields;
    }

    private byte[] bytes(Map<String, String> answer, String field) {
        try {
            return Base64.getDecoder().decode(answer.getOrDefault(field, ""));
        } catch (IllegalArgumentException e) {
            throw new StoreUnusableException("KMS gave no " + field + " for " + arn + "; look at its endpoint", null);
        }
    }

    private static void sleep(Duration pause) {
        try {
            TimeUnit.MILLISECONDS.sleep(pause.toMillis());
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static StoreUnavailableException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new StoreUnavailableException("Interrupted while waiting for KMS; nothing was changed", e);
    }
}
