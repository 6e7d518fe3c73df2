package dev.holdfast.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.server.ApiDocument.Example;
import dev.holdfast.server.ApiDocument.Operation;
import dev.holdfast.server.TestServer.Answer;
import dev.holdfast.server.auth.Grants;
import dev.holdfast.server.auth.Role;
import dev.holdfast.server.auth.TokenEntry;
import dev.holdfast.server.auth.login.AuthConfig;
import dev.holdfast.server.config.Settings;
import dev.holdfast.server.http.Route;
import dev.holdfast.server.notify.NotifyOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLConnection;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("/openapi.json")
class OpenApiTest {
    private static final String EVENTS = "text/event-stream";
    private static final Pattern CODE = Pattern.compile("Problem\\.(?:of|refusal)\\([^\";]*\"([a-z-]+)\"");
    private static final ApiDocument DOCUMENT = fetched();

    private static final String ADMIN = "hf_admin-0123456789";

    private TestServer server;
    private String authorization = "";

    @BeforeEach
    void start() {
        server = TestServer.onMemory();
    }

    /** Tokens mean something only where they are asked for. */
    private void ask() {
        server.close();
        server = new Setup()
                .auth(new AuthConfig(
                        false, Optional.empty(), List.of(TokenEntry.of("ops", ADMIN, Grants.everywhere(Role.ADMIN)))))
                .start();
        authorization = "Bearer " + ADMIN;
    }

    /** A webhook that nobody answers for is one, too. */
    private void tell() {
        server.close();
        NotifyOptions webhooks = NotifySetup.of(
                Settings.load(
                        List.of(
                                "--store=memory:",
                                "--notify.webhooks=[{id: ops, url: 'http://127.0.0.1:1/', secret: 0123456789abcdef}]"),
                        Map.of(),
                        Path.of("nowhere")),
                Map.of());
        server = new Setup().notifications(webhooks).start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static ApiDocument fetched() {
        try (TestServer server = TestServer.onMemory()) {
            return new ApiDocument(server.get("/openapi.json").json());
        }
    }

    static List<Example> examples() {
        return DOCUMENT.examples();
    }

    // ---- the document and the routes

    @Test
    @DisplayName("has every route, and none that does not exist")
    void complete() {
        Set<String> documented =
                DOCUMENT.operations().stream().map(Operation::toString).collect(Collectors.toCollection(TreeSet::new));
        Set<String> served = new TreeSet<>();
        List<Route> calls = server.server.routes().stream()
                .filter(route -> !route.path().startsWith("/ui/")) // the dashboard's own files
                .toList();
        for (Route route : calls) {
            served.add(route.method().name() + " " + route.path());
        }
        assertThat(documented).isEqualTo(served);
    }

    @Test
    @DisplayName("says which version of the server it describes")
    void version() {
        assertThat(DOCUMENT.root().get("openapi").text()).isEqualTo("3.1.0");
        assertThat(DOCUMENT.root().get("info").get("version").text()).matches("\\d+\\.\\d+\\.\\d+.*");
    }

    @Test
    @DisplayName("names every code of a problem, and so does docs/REST.md")
    void codes() throws IOException {
        Set<String> used = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(it -> it.toString().endsWith(".java")).toList()) {
                Matcher code = CODE.matcher(Files.readString(file));
                while (code.find()) {
                    used.add(code.group(1));
                }
            }
        }
        assertThat(used).contains("held", "forbidden", "outcome-unknown");
        List<String> documented = DOCUMENT
                .root()
                .get("components")
                .get("schemas")
                .get("Problem")
                .get("properties")
                .get("code")
                .get("enum")
                .list()
                .stream()
                .map(Json::text)
                .toList();
        assertThat(documented).containsAll(used);
        String manual = Files.readString(Path.of("../docs/REST.md"));
        assertThat(documented).allSatisfy(code -> assertThat(manual).contains("`" + code + "`"));
    }

    @Test
    @DisplayName("has an example, which fits, for every body and every success")
    void examplesFit() {
        for (Operation operation : DOCUMENT.operations()) {
            if (operation.node().has("requestBody")) {
                Json body = ApiDocument.requestBody(operation);
                assertThat(body.get("examples").fields()).isNotEmpty();
            }
            for (String status : operation.node().get("responses").fields()) {
                Json content = ApiDocument.content(DOCUMENT.response(operation, status));
                assertThat(content.get("examples").fields())
                        .as(operation + " " + status)
                        .isNotEmpty();
                for (String name : content.get("examples").fields()) {
                    Json value = content.get("examples").get(name).get("value");
                    assertThat(SchemaCheck.faults(DOCUMENT.root(), content.get("schema"), value))
                            .as(operation + " " + status + " " + name)
                            .isEmpty();
                }
            }
        }
    }

    // ---- the examples and the server

    @ParameterizedTest
    @MethodSource("examples")
    @DisplayName("every example is answered as it says")
    void executed(Example example) throws IOException {
        if (example.operation().path().startsWith("/v2/tokens")) {
            ask();
        }
        if (example.operation().path().startsWith("/admin/notify")) {
            tell();
        }
        long token = 0;
        String version = "";
        for (Json first : example.given()) {
            String method = first.fields().iterator().next();
            Answer answer = sent(method, first.get(method).text(), ApiDocument.text(first.get("body")));
            assertThat(answer.status()).as(answer.body()).isBetween(200, 299);
            String given = answer.header("Fencing-Token");
            token = given.isEmpty() ? token : Long.parseLong(given);
            version = answer.json().has("version") && answer.json().has("serial") && method.equals("post")
                    ? String.valueOf(answer.json().get("version").value())
                    : version;
        }
        // Which name a version has is the server's choice.
        String target = DOCUMENT.target(example.operation()).replaceAll("\\d{8}T[\\d.]+Z-\\w+", version);
        if (ApiDocument.mediaType(example.response()).equals(EVENTS)) {
            listens(target);
            return;
        }
        Answer answer = example.body().isEmpty()
                ? server.send(request(target).method(example.operation().method(), BodyPublishers.noBody()))
                : sent(example.operation().method(), target, body(example, token));
        assertThat(answer.status()).as(answer.body()).isEqualTo(example.status());
        answeredAsDocumented(example, answer);
    }

    private HttpRequest.Builder request(String target) {
        HttpRequest.Builder request = server.request(target);
        return authorization.isEmpty() ? request : request.header("Authorization", authorization);
    }

    private Answer sent(String method, String target, String body) {
        return server.send(request(target)
                .header("Content-Type", "application/json")
                .method(method.toUpperCase(Locale.ROOT), BodyPublishers.ofString(body)));
    }

    private static String body(Example example, long token) {
        Json body = example.body().orElseThrow();
        boolean invalid = example.status() == 400 || example.status() == 422;
        if (!invalid) {
            Json schema = ApiDocument.requestBody(example.operation()).get("schema");
            assertThat(SchemaCheck.faults(DOCUMENT.root(), schema, body)).isEmpty();
        }
        // Which token a lock has is the server's choice.
        return ApiDocument.text(body).replaceAll("\"fencing_token\":\\d+", "\"fencing_token\":" + token);
    }

    private static void answeredAsDocumented(Example example, Answer answer) {
        Json response = example.response();
        assertThat(answer.header("Content-Type")).startsWith(ApiDocument.mediaType(response));
        for (String header : response.get("headers").fields()) {
            Json documented =
                    ApiDocument.resolve(DOCUMENT.root(), response.get("headers").get(header));
            String sent = answer.header(header);
            if (sent.isEmpty()
                    && Boolean.FALSE.equals(documented.get("required").value())) {
                continue; // said to be there only sometimes
            }
            Json schema = documented.get("schema");
            Json value = new Json(
                    switch (schema.get("type").text()) {
                        case "integer" -> (Object) Long.parseLong(sent);
                        case "boolean" -> Boolean.parseBoolean(sent);
                        default -> sent;
                    });
            assertThat(sent).as(header).isNotEmpty();
            assertThat(SchemaCheck.faults(DOCUMENT.root(), schema, value))
                    .as(header)
                    .isEmpty();
        }
        if (ApiDocument.mediaType(response).endsWith("json")) {
            Json schema = ApiDocument.content(response).get("schema");
            assertThat(SchemaCheck.faults(DOCUMENT.root(), schema, answer.json()))
                    .isEmpty();
            if (schema.has("$ref")) {
                assertThat(shape(answer.json())).isEqualTo(shape(example.answer()));
            }
        }
    }

    /** Names of fields at every depth: an example must not leave out, or invent, what the server says. */
    private static Set<String> shape(Json value) {
        Set<String> names = new TreeSet<>();
        shape(value, "", names);
        return names;
    }

    private static void shape(Json value, String where, Set<String> names) {
        if (value.value() instanceof Map<?, ?>) {
            for (String name : value.fields()) {
                names.add(where + "." + name);
                shape(value.get(name), where + "." + name, names);
            }
        } else if (value.value() instanceof List<?>) {
            value.list().forEach(item -> shape(item, where + "[]", names));
        }
    }

    private void listens(String target) throws IOException {
        URLConnection connection = URI.create(server.url() + target).toURL().openConnection();
        connection.setReadTimeout(10_000);
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8))) {
            while (lines.stream().noneMatch(line -> line.startsWith("data: "))) {
                lines.add(reader.readLine());
            }
        }
        assertThat(connection.getContentType()).isEqualTo(EVENTS);
        assertThat(lines).anyMatch(line -> line.startsWith("id: ")).contains("event: lock.acquired");
        Json event = Json.of(lines.get(lines.size() - 1).substring("data: ".length()));
        Json schema = DOCUMENT.root().get("components").get("schemas").get("AuditEvent");
        assertThat(SchemaCheck.faults(DOCUMENT.root(), schema, event)).isEmpty();
    }

    // ---- the page

    @Test
    @DisplayName("/docs is one page that shows every call, runs nothing and loads nothing")
    void page() {
        Answer page = server.get("/docs");
        assertThat(page.header("Content-Type")).isEqualTo("text/html; charset=utf-8");
        assertThat(page.header("Content-Security-Policy"))
                .startsWith("default-src 'none'; style-src 'sha256-")
                .doesNotContain("unsafe");
        assertThat(DOCUMENT.operations())
                .allSatisfy(operation -> assertThat(page.body()).contains("<code>" + operation.path() + "</code>"));
        assertThat(page.body()).doesNotContain("<script", "\"http", "href=http", "src=", "@import", "url(", "style=");
    }
}
