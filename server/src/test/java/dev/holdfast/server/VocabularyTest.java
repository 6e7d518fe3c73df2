package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** One word for one meaning, in all JSON of the server; docs/REST.md has the list for people. */
@DisplayName("the fields of JSON")
class VocabularyTest {
    private static final Path DOCUMENT = Path.of("src/main/resources/dev/holdfast/server/docs/openapi.json");

    /** Our word, and what others say: refused everywhere but in the objects named beside it, where a contract has it. */
    private static final Map<String, Map<String, Set<String>>> WORDS = Map.of(
            "owner",
            Map.of(
                    "locked_by", Set.of("AuditEvent"),
                    "pod_id", Set.of("ActiveLock"),
                    "held_by", Set.of(),
                    "holder_id", Set.of(),
                    "user", Set.of(),
                    "who", Set.of()),
            "name",
            Map.of(
                    "lock_name",
                    Set.of("ActiveLock"),
                    "lockName",
                    Set.of("V1"),
                    "key",
                    Set.of(),
                    "lock",
                    Set.of("StackItem", "Problem", "OverviewLock")),
            "granted_at",
            Map.of("acquired_at", Set.of("ActiveLock"), "locked_at", Set.of(), "held_since", Set.of()),
            "expires_at",
            Map.of(
                    "expiry",
                    Set.of("V1"),
                    "expires",
                    Set.of(),
                    "valid_until",
                    Set.of(),
                    "ends_at",
                    Set.of(),
                    "ttl",
                    Set.of()),
            "fencing_token",
            Map.of(
                    "fence",
                    Set.of(),
                    "token_number",
                    Set.of(),
                    "fencingToken",
                    Set.of(),
                    "token",
                    Set.of("CreatedToken")),
            "items",
            Map.of("active", Set.of("Status"), "data", Set.of(), "entries", Set.of(), "list", Set.of()),
            "next_cursor",
            Map.of("cursor", Set.of(), "next", Set.of(), "next_page", Set.of(), "continue", Set.of()),
            "environment",
            Map.of("env", Set.of(), "stage", Set.of()),
            "request_id",
            Map.of("errorId", Set.of("V1"), "correlation_id", Set.of(), "trace_id", Set.of()),
            "reason",
            Map.of("why", Set.of(), "cause", Set.of()));

    /** A contract of others says how these are spelled. */
    private static final Set<String> SPELLED_BY_OTHERS = Set.of("V1", "LockInfo", "StackLock");

    @Test
    @DisplayName(
            "use one word for one meaning; where a contract promises another, it is an alias in a place that is known")
    void oneWord() throws IOException {
        List<String> wrong = new ArrayList<>();
        fields().forEach((field, objects) -> WORDS.forEach((word, others) -> {
            if (others.containsKey(field)) {
                objects.stream()
                        .filter(object -> others.get(field).stream().noneMatch(object::startsWith))
                        .forEach(object -> wrong.add(object + "." + field + " should be called " + word));
            }
        }));
        assertThat(wrong).isEmpty();
    }

    @Test
    @DisplayName("whose alias is there have our own word too, but where a contract says exactly which fields there are")
    void aliases() throws IOException {
        Map<String, Set<String>> fields = fields();
        assertThat(fields.get("owner")).contains("AuditEvent", "ActiveLock");
        assertThat(fields.get("name")).contains("ActiveLock");
        assertThat(fields.get("granted_at")).contains("ActiveLock");
        assertThat(fields.get("held_ms")).contains("AuditEvent");
    }

    @Test
    @DisplayName("are in snake_case, give times in milliseconds (_ms) and moments as _at")
    void units() throws IOException {
        Map<String, Set<String>> fields = fields();
        fields.forEach((field, objects) -> {
            Set<String> ours = new TreeSet<>(objects);
            ours.removeIf(object -> SPELLED_BY_OTHERS.stream().anyMatch(object::startsWith));
            ours.remove("Problem"); // has the ID of a LockInfo
            if (!ours.isEmpty()) {
                assertThat(field).matches("[a-z0-9_]+");
                assertThat(field.matches(".*_(s|sec|secs|seconds|millis|minutes|time)")
                                && !Set.of("duration_seconds", "server_time").contains(field))
                        .as(field + " of " + ours)
                        .isFalse();
            }
        });
        assertThat(fields.get("duration_seconds")).containsExactly("AuditEvent");
    }

    @Test
    @DisplayName("are explained in docs/REST.md, the words and their aliases")
    void documented() throws IOException {
        String manual = Files.readString(Path.of("../docs/REST.md"));
        String table = manual.substring(manual.indexOf("## Words"));
        assertThat(WORDS.keySet()).allSatisfy(word -> assertThat(table).contains("`" + word + "`"));
        WORDS.values()
                .forEach(others -> others.forEach((other, objects) -> {
                    if (!objects.isEmpty() && !Set.of("token", "lock").contains(other)) {
                        assertThat(table).contains("`" + other + "`");
                    }
                }));
    }

    /** Every field of every object, with the objects that have it. */
    private static Map<String, Set<String>> fields() throws IOException {
        Json schemas = Json.of(Files.readString(DOCUMENT)).get("components").get("schemas");
        Map<String, Set<String>> found = new TreeMap<>();
        for (String name : schemas.fields()) {
            collect(schemas.get(name), name, found);
        }
        assertThat(found).hasSizeGreaterThan(100);
        return found;
    }

    private static void collect(Json schema, String object, Map<String, Set<String>> found) {
        if (!(schema.value() instanceof Map<?, ?>)) {
            return;
        }
        if (schema.has("properties")) {
            Json properties = schema.get("properties");
            for (String field : properties.fields()) {
                found.computeIfAbsent(field, unused -> new TreeSet<>()).add(object);
                collect(properties.get(field), object, found);
            }
        }
        if (schema.has("items")) {
            collect(schema.get("items"), object, found);
        }
        for (String several : List.of("oneOf", "anyOf", "allOf")) {
            if (schema.has(several)) {
                schema.get(several).list().forEach(one -> collect(one, object, found));
            }
        }
    }
}
