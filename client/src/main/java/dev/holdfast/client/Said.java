package dev.holdfast.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.holdfast.engine.Request;
import dev.holdfast.model.LeaseId;
import dev.holdfast.model.LockPath;
import dev.holdfast.model.Mode;
import dev.holdfast.model.RecordKey;
import dev.holdfast.model.Token;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a server is told. The one place that knows the names of the fields that go. */
final class Said {
    private static final JsonFactory JSON = new JsonFactory();

    private Said() {}

    interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] object(Part fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartObject();
            fields.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException("a request could not be written as JSON", e);
        }
        return bytes.toByteArray();
    }

    static byte[] acquire(Request request, Duration wait) {
        return object(json -> {
            key(json, request.key());
            List<LockPath> paths = request.scope().paths();
            if (paths.size() == 1) {
                json.writeStringField("path", paths.get(0).value());
            } else {
                json.writeArrayFieldStart("paths");
                for (LockPath path : paths) {
                    json.writeString(path.value());
                }
                json.writeEndArray();
            }
            Mode mode = request.scope().mode();
            json.writeStringField("mode", mode.label());
            if (mode.kind() == Mode.Kind.PERMIT) {
                json.writeNumberField("limit", mode.limit());
            }
            json.writeStringField("owner", request.owner());
            json.writeStringField("lease_id", request.leaseId().value());
            json.writeNumberField("lease_ms", request.terms().lease().toMillis());
            json.writeNumberField("renew_every_ms", request.terms().renewEvery().toMillis());
            json.writeNumberField("min_hold_ms", request.terms().minHold().toMillis());
            json.writeNumberField("wait_ms", wait.toMillis());
            json.writeObjectFieldStart("metadata");
            for (Map.Entry<String, String> entry : request.terms().metadata().entrySet()) {
                json.writeStringField(entry.getKey(), entry.getValue());
            }
            json.writeEndObject();
            json.writeStringField("reason", request.terms().reason());
        });
    }

    /** One lease to renew or release, and how. */
    static byte[] lease(RecordKey key, LeaseId leaseId, Part how) {
        return object(json -> {
            json.writeArrayFieldStart("leases");
            lease(json, key, leaseId, how);
            json.writeEndArray();
        });
    }

    static void lease(JsonGenerator json, RecordKey key, LeaseId leaseId, Part how) throws IOException {
        json.writeStartObject();
        key(json, key);
        json.writeStringField("lease_id", leaseId.value());
        how.write(json);
        json.writeEndObject();
    }

    static byte[] force(RecordKey key, Token expected, String reason) {
        return object(json -> {
            key(json, key);
            json.writeNumberField("fencing_token", expected.value());
            json.writeStringField("reason", reason);
        });
    }

    private static void key(JsonGenerator json, RecordKey key) throws IOException {
        json.writeStringField("namespace", key.namespace());
        json.writeStringField("name", key.name());
    }

    /** A query of a path, grown parameter by parameter. */
    static final class Query {
        private final StringBuilder text;
        private char next = '?';

        Query(String path) {
            text = new StringBuilder(path);
        }

        Query with(String name, Object value) {
            text.append(next)
                    .append(name)
                    .append('=')
                    .append(URLEncoder.encode(value.toString(), StandardCharsets.UTF_8));
            next = '&';
            return this;
        }

        Query with(String name, Optional<?> value) {
            return value.isPresent() ? with(name, value.get()) : this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
