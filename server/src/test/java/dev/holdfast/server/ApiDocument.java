package dev.holdfast.server;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document as a test reads it: calls, examples, and what must have happened before them. */
record ApiDocument(Json root) {
    /** Methods OpenAPI 3.1 does not know, by name. */
    private static final String OTHER_METHODS = "x-additionalOperations";

    /** A call. */
    record Operation(String method, String path, Json node) {
        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    /**
     * An example of a call and its answer.
     *
     * @param given requests that come first
     * @param body what is sent; empty for calls without
     * @param status what is answered
     * @param response the documented answer
     * @param answer the example of it
     */
    record Example(
            Operation operation,
            String name,
            List<Json> given,
            Optional<Json> body,
            int status,
            Json response,
            Json answer) {
        @Override
        public String toString() {
            return operation + ": " + name;
        }
    }

    List<Operation> operations() {
        List<Operation> all = new ArrayList<>();
        Json paths = root.get("paths");
        for (String path : paths.fields()) {
            Json item = paths.get(path);
            for (String method : item.fields()) {
                if (method.equals(OTHER_METHODS)) {
                    Json others = item.get(method);
                    others.fields().forEach(other -> all.add(new Operation(other, path, others.get(other))));
                } else {
                    all.add(new Operation(method.toUpperCase(Locale.ROOT), path, item.get(method)));
                }
            }
        }
        return all;
    }

    List<Example> examples() {
        List<Example> all = new ArrayList<>();
        for (Operation operation : operations()) {
            if (operation.node().has("requestBody")) {
                Json examples = requestBody(operation).get("examples");
                for (String name : examples.fields()) {
                    Json example = examples.get(name);
                    all.add(example(operation, name, given(example), Optional.of(example.get("value"))));
                }
            } else {
                String name = content(response(operation, "200"))
                        .get("examples")
                        .fields()
                        .iterator()
                        .next();
                all.add(example(operation, name, given(operation.node()), Optional.empty()));
            }
        }
        return all;
    }

    static Json requestBody(Operation operation) {
        return operation.node().get("requestBody").get("content").get("application/json");
    }

    private static List<Json> given(Json node) {
        return node.has("x-given") ? node.get("x-given").list() : List.of();
    }

    /** The answer to an example is the one that has an example of the same name. */
    private Example example(Operation operation, String name, List<Json> given, Optional<Json> body) {
        for (String status : operation.node().get("responses").fields()) {
            Json response = response(operation, status);
            Json examples = content(response).get("examples");
            if (examples.has(name)) {
                return new Example(
                        operation,
                        name,
                        given,
                        body,
                        Integer.parseInt(status),
                        response,
                        examples.get(name).get("value"));
            }
        }
        throw new AssertionError("no answer of " + operation + " has an example '" + name + "'");
    }

    Json response(Operation operation, String status) {
        Json response = operation.node().get("responses").get(status);
        return response.has("$ref") ? resolve(root, response) : response;
    }

    static String mediaType(Json response) {
        return response.get("content").fields().iterator().next();
    }

    static Json content(Json response) {
        return response.get("content").get(mediaType(response));
    }

    /** The path of this call with the examples of its parameters. */
    String target(Operation operation) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        List<Json> parameters = operation.node().has("parameters")
                ? operation.node().get("parameters").list()
                : List.of();
        for (Json reference : parameters) {
            Json parameter = reference.has("$ref") ? resolve(root, reference) : reference;
            if (!parameter.has("example")) {
                continue;
            }
            String name = parameter.get("name").text();
            String value = String.valueOf(parameter.get("example").value());
            if (parameter.get("in").text().equals("path")) {
                path = path.replace("{" + name + "}", value);
            } else {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(name)
                        .append('=')
                        .append(URLEncoder.encode(value, StandardCharsets.UTF_8));
            }
        }
        return path + query;
    }

    static Json resolve(Json document, Json reference) {
        Json found = document;
        for (String name : reference.get("$ref").text().substring(2).split("/", -1)) {
            found = found.get(name);
        }
        return found;
    }

    static String text(Json value) {
        StringWriter out = new StringWriter();
        try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
            write(json, value.value());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toString();
    }

    private static void write(JsonGenerator json, @Nullable Object value) throws IOException {
        if (value instanceof Map<?, ?> map) {
            json.writeStartObject();
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                json.writeFieldName((String) entry.getKey());
                write(json, entry.getValue());
            }
            json.writeEndObject();
        } else if (value instanceof List<?> list) {
            json.writeStartArray();
            for (Object item : list) {
                write(json, item);
            }
            json.writeEndArray();
        } else if (value instanceof String text) {
            json.writeString(text);
        } else {
            json.writeRawValue(String.valueOf(value));
        }
    }
}
